"use strict";
// Elements: making parts of the page. Text is only ever set as text, never as HTML:
// names come from files and may hold anything.

function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

function $(id) {
  return document.getElementById(id);
}

function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null));
}

// Redraw the insides of an element; the control that has the focus keeps it.
function keepingFocus(element, redrawn) {
  const name = element.contains(document.activeElement)
    ? document.activeElement.dataset.name : undefined;
  redrawn();
  if (name) element.querySelector(`[data-name="${CSS.escape(name)}"]`)?.focus();
}

// ---- numbers as text

const MINUS = "\u2212", DASH = "\u2013", TIMES = "\u00d7", PM = "\u00b1";

function whole(number) {
  return number === null ? "" : number.toLocaleString("en-US").replace("-", MINUS);
}

function signed(number) {
  return number > 0 ? `+${whole(number)}` : whole(number);
}

function lossText(loss, digits = 4) {
  if (loss === null || Number.isNaN(loss)) return "";
  return loss.toFixed(digits).replace("-", MINUS);
}

function percent(share) {
  if (Number.isNaN(share)) return "";
  const hundredths = Math.round(100 * share);
  if (hundredths === 100 && share < 1) return "> 99%";
  if (hundredths === 0 && share > 0) return "< 1%";
  return `${hundredths}%`;
}

function counted(count, noun, several = `${noun}s`) {
  return `${whole(count)} ${count === 1 ? noun : several}`;
}

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
  "eleven", "twelve"];

function inWords(count) {
  return WORDS[count] ?? whole(count);
}

// "a, b and c".
function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function printedText(text) {
  return text.replace(/(^|[ /])-(?=\d)/g, `$1${MINUS}`).replace("+-", PM);
}

// Conditions with the signs that a keyboard has not.
function symbols(text) {
  return text.replaceAll(">=", "\u2265").replaceAll("<=", "\u2264");
}

// A label that fits into a plot.
function shortened(label, most = 16) {
  return label.length > most ? `${label.slice(0, most - 1)}\u2026` : label;
}

// ---- tables

// A table in a box of its own that scrolls sideways where the screen is narrow.
function tableBox(caption, head, body, properties = {}) {
  const table = h("table", properties, h("caption", {}, h("span", {}, caption)),
    h("thead", {}, ...head), h("tbody", {}, ...body));
  const box = h("div", { class: "box" }, table);
  box.caption = caption;
  overflows.observe(box);
  return h("div", { class: "boxed" }, box, tableTools(() => table, caption));
}

// A box that scrolls can be reached by the keyboard; others are no stops.
const overflows = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isWide = target.scrollWidth > target.clientWidth + 1;
    const region = { tabindex: "0", role: "region", "aria-label": target.caption };
    for (const [name, value] of Object.entries(region)) {
      if (isWide) target.setAttribute(name, value);
      else target.removeAttribute(name);
    }
  }
});

// Headings of columns; those named in `isText` stand above texts, on the left.
function headings(texts, isText = []) {
  return h("tr", {}, ...texts.map((text) =>
    h("th", { scope: "col", class: isText.includes(text) ? "text" : null }, text)));
}

// A cell that says what an algorithm's label stands for.
function labelCell(label, properties = {}) {
  return h("th", { scope: "row", title: DATA.algorithms[label], ...properties }, label);
}

function rowOf(label, cells, properties = {}) {
  return h("tr", properties, h("th", { scope: "row" }, label),
    ...cells.map((cell) => (cell instanceof Node ? cell : h("td", {}, cell))));
}

// Names and what they stand for.
function factList(facts) {
  return h("dl", {}, ...facts.flatMap(([name, text]) =>
    [h("dt", {}, name), h("dd", {}, text)]));
}

// The tint of a cell: blue for more wins, orange for more losses.
function tint(value, greatest) {
  const share = greatest ? Math.min(1, Math.abs(value) / greatest) : 0;
  const name = value > 0 ? "--more" : "--less";
  return value ? `rgb(var(${name}) / ${(0.08 + 0.47 * share).toFixed(3)})` : "";
}

// ---- controls

function choice(label, options, value, onPick, properties = {}) {
  const select = h("select", { onchange: () => onPick(select.value), ...properties },
    ...options.map(([key, text, isOff]) => h("option", { value: key, disabled: isOff }, text)));
  select.value = value;
  return h("label", { class: "field" }, h("span", {}, label), select);
}

function numberField(label, value, onPick, properties = {}) {
  const input = h("input", {
    type: "number", min: "0", inputmode: "decimal", value: value ?? "",
    oninput: () => {
      const given = input.value === "" ? null : Number(input.value);
      onPick(Number.isFinite(given) ? given : null);
    },
    ...properties,
  });
  return h("label", { class: "field" }, h("span", {}, label), input);
}

function checkBox(label, isOn, onPick, properties = {}) {
  const input = h("input", {
    type: "checkbox", onchange: () => onPick(input.checked), ...properties,
  });
  input.checked = isOn;
  return h("label", { class: "check" }, input, label);
}
