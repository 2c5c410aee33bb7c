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
  svg.prepend(s("rect", { width: "100%", height: "100%", fill: "#ffffff" }));
  return inLight(svg);
}

// A picture of 16 to 9 for a talk: the verdict above it, and below it what was compared.
function slideOf(element) {
  const [wide, high, edge] = [1280, 720, 48], { svg } = element.picture.build(900);
  const lines = linesOf($("verdict-title").textContent, 68), top = 44 + 38 * lines.length;
  for (const [name, value] of Object.entries({ x: edge, y: top, width: wide - 2 * edge, height: high - top - 64 })) svg.setAttribute(name, value);
  const word = (text, y, attributes) => s("text", { x: edge, y, fill: "var(--text)", ...attributes }, text);
  return inLight(pictureOf(wide, high, [
    s("rect", { width: "100%", height: "100%", fill: "#ffffff" }),
    ...lines.map((line, k) => word(line, 60 + 38 * k, { "font-size": 30, "font-weight": 700 })), svg,
    word(`${element.picture.name} \u00b7 ${$("verdict-view").textContent}`, high - 40, { "font-size": 17, fill: "var(--quiet)" }),
    word([DATA.store, "made with bakeoff"].filter(Boolean).join(" \u00b7 "), high - 16, { "font-size": 15, fill: "var(--quiet)" }),
  ]));
}

// A text in lines of at most so many letters, two lines at most.
function linesOf(text, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= most || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.length > 2 ? [lines[0], shortened(lines.slice(1).join(" "), most)] : lines;
}

// With the colours for light paper.
function inLight(svg) {
  svg.setAttribute("xmlns", SPACE);
  const text = new XMLSerializer().serializeToString(svg);
  return text.replace(/var\((--[a-z-]+)\)/g, (_, name) => LIGHT.getPropertyValue(name).trim());
}

async function pngOf(text, scale = 2) {
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
    ["PNG", "Download the plot as PNG", async () => download(await pngOf(standalone(element)), "image/png", fileName(name, "png"))],
    ["Slide", "Download as a slide, 16:9", async () => download(await pngOf(slideOf(element), 1.5), "image/png", fileName(`${name} slide`, "png"))],
  ]);
}
