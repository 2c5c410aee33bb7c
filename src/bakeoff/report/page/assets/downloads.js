"use strict";
// Downloads: tables as CSV and LaTeX, plots as SVG and PNG, texts to the clipboard.

function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 80);
}

// A file name that says where a thing comes from.
function fileName(name, ending) {
  return `${slug(`${DATA.store || "bakeoff"} ${name} ${STATE.encoding} ${STATE.kind}`)}.${ending}`;
}

function download(content, type, name) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Put a text on the clipboard; the button says that it is done.
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "skip", value: text, "aria-hidden": "true" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const before = button.dataset.text ?? button.textContent;
  button.dataset.text = before;
  button.textContent = "Copied";
  say("Copied to the clipboard.");
  setTimeout(() => { button.textContent = before; }, 1500);
}

// Tell those who cannot see it.
function say(text) {
  $("live").textContent = text;
}

// ---- tables

function plainText(text) {
  return text.replaceAll(MINUS, "-").replaceAll(DASH, "-").replaceAll(PM, "+-").trim();
}

// The rows of a table as they are shown, headings first.
function textsOf(table) {
  return [...table.rows].map((row) => [...row.cells].map((cell) =>
    plainText(cell.dataset.text ?? cell.textContent)));
}

// A cell that no spreadsheet takes for a formula, as in the tables that Python writes.
function harmless(text) {
  const isPlain = /^([+-]?[\d.,]+(e[+-]?\d+)?%?(\/[\d.]+)?|-)$/i.test(text);
  return /^[=+\-@\t\r]/.test(text) && !isPlain ? `'${text}` : text;
}

function csvOf(rows) {
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${rows.map((row) => row.map((text) => quoted(harmless(text))).join(",")).join("\n")}\n`;
}

const TEX = { "\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}", "<": "$<$", ">": "$>$",
  "|": "$|$", "\u2265": "$\\geq$", "\u2264": "$\\leq$", "\u00b1": "$\\pm$" };

function texOf(rows) {
  const safe = (text) => (/^[+-][\d.]+$/.test(text) ? `$${text}$` : text.replaceAll("+-", PM)
    .replace(/[\\^~<>|\u2265\u2264\u00b1{}$&#_%]/g, (c) => TEX[c] ?? `\\${c}`));
  const [head, ...body] = rows.map((row) => `${row.map(safe).join(" & ")} \\\\`);
  return ["% needs \\usepackage{booktabs}", `\\begin{tabular}{l${"r".repeat(rows[0].length - 1)}}`, "\\toprule", head,
    "\\midrule", ...body, "\\bottomrule", "\\end{tabular}", ""].join("\n");
}

// One menu for each table or plot; what is picked closes it.
function menuOf(caption, tools) {
  const buttons = tools.map(([text, label, onPick]) => h("button", { type: "button", "aria-label": `${label}: ${caption}`,
    onclick: (event) => onPick(event.currentTarget) }, text));
  const menu = h("details", { class: "menu" }, h("summary", { "aria-label": `Save or copy: ${caption}` }, "Save"), h("div", {}, ...buttons));
  menu.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false; });
  return menu;
}

document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(target)) menu.open = false;
});

function tableTools(table, caption) {
  const name = slug(caption).split("-").slice(0, 8).join("-");
  return menuOf(caption, [
    ["CSV", "Download as CSV", () => download(csvOf(textsOf(table())), "text/csv", fileName(name, "csv"))],
    ["LaTeX", "Copy as LaTeX", (button) => copy(texOf(textsOf(table())), button)],
  ]);
}

// ---- plots

const LIGHT = [...document.styleSheets[0].cssRules].find((rule) => rule.selectorText === ":root").style;

// A picture as it stands alone: colours for light paper, a white ground.
function standalone(element, width = 900) {
  const { svg } = element.picture.build(width);
  svg.setAttribute("xmlns", SPACE);
  svg.prepend(s("rect", { width: "100%", height: "100%", fill: "#ffffff" }));
  const text = new XMLSerializer().serializeToString(svg);
  return text.replace(/var\((--[a-z-]+)\)/g, (_, name) => LIGHT.getPropertyValue(name).trim());
}

async function pngOf(element, scale = 2) {
  const text = standalone(element);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = h("canvas", { width: image.width * scale, height: image.height * scale });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

function plotTools(element, name) {
  return menuOf(name, [
    ["SVG", "Download the plot as SVG", () => download(standalone(element), "image/svg+xml", fileName(name, "svg"))],
    ["PNG", "Download the plot as PNG", async () => download(await pngOf(element), "image/png", fileName(name, "png"))],
  ]);
}
