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

const NUMBERS = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });

function whole(number) {
  return number === null ? "" : NUMBERS.format(number).replace("-", MINUS);
}

function signed(number) {
  return number > 0 ? `+${whole(number)}` : whole(number);
}

function lossText(loss, digits = 4) {
  if (loss === null || Number.isNaN(loss)) return "";
  return loss.toFixed(digits).replace("-", MINUS);
}

// A difference of losses; a tie, and what is printed as one, has no sign.
function signedLoss(value, digits = 3) {
  const size = lossText(Math.abs(value), digits);
  return Number(size) ? `${value < 0 ? MINUS : "+"}${size}` : size;
}

// The same in words: "0.0120 below", or "level with".
const LEVEL_WITH = "level with";

function apart(value) {
  const size = lossText(Math.abs(value));
  return Number(size) ? `${size} ${value < 0 ? "below" : "above"}` : LEVEL_WITH;
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

// A box that scrolls can be reached by the keyboard, and fades where it goes on; others are no stops.
const overflows = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isWide = target.scrollWidth > target.clientWidth + 1;
    const region = { tabindex: "0", role: "region", "aria-label": target.caption };
    for (const [name, value] of Object.entries(region)) {
      if (isWide) target.setAttribute(name, value);
      else target.removeAttribute(name);
    }
    target.onscroll = () => target.classList.toggle("more", target.scrollLeft + target.clientWidth < target.scrollWidth - 1);
    target.onscroll();
  }
});

// Headings of columns; those named in `isText` stand above texts, on the left.
function headings(texts, isText = []) {
  return h("tr", {}, ...texts.map((text) =>
    h("th", { scope: "col", class: isText.includes(text) ? "text" : null }, text)));
}

// A heading that sorts its table: `sort` has the key and the direction.
function sortHeading({ key, text, isHigh, title, ...properties }, sort, redrawn, place) {
  const isSorted = sort.sort === key;
  const order = isSorted ? (sort.isDown ? "descending" : "ascending") : "none";
  const arrow = { ascending: " \u25b4", descending: " \u25be", none: "" }[order];
  const button = h("button", {
    type: "button", "data-sort": key,
    onclick: () => {
      Object.assign(sort, { sort: key, isDown: isSorted ? !sort.isDown : Boolean(isHigh), page: 0 });
      redrawn();
      place.querySelector(`[data-sort="${CSS.escape(key)}"]`).focus();
    },
  }, text, h("span", { "aria-hidden": "true" }, arrow));
  return h("th", { scope: "col", "aria-sort": order, title, "data-text": text, ...properties }, button);
}

// Numbers by size, texts by the alphabet, and what is missing last either way.
const ALPHABET = new Intl.Collator("en", { numeric: true });

function compare(a, b, isDown) {
  if (typeof a === "string") {
    const order = ALPHABET.compare(a, b);
    return isDown ? -order : order;
  }
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return isDown ? b - a : a - b;
}

// The name of an algorithm at the head of a row; users' own stand out.
function nameCell(label, properties = {}) {
  return h("th", { scope: "row", class: DATA.own.includes(label) ? "own" : null, ...properties }, fullName(label));
}

// ---- words that are explained where they stand

const TERMS = {
  loss: "Mean cost of the actions taken, over all rounds of a dataset: 0 is perfect.",
  skyline: "The loss of supervised learning that sees the costs of all actions, on the same rows in the same order.",
  excess: "Loss minus the skyline's loss on the same dataset.",
  regret: "Loss minus that of the best algorithm on the same dataset.",
  encoding: "What an algorithm learns from: costs as they are (0/1), or costs minus one (\u22121/0), so that what was never tried looks bad.",
  "net wins": "Significant wins minus losses against all others, as a share of all comparisons: +100% would be a win against everybody everywhere.",
  significantly: "More than chance would explain on a dataset of this size, by the test that is chosen under Filters.",
  "the paper's rule": "The rule of the paper's scripts: difference / standard error > 1.386. It is lax: of two equal algorithms, it calls one comparison in six significant.",
  "learning rate": "The step size of the online learner. Which one is best differs from dataset to dataset. Rates are bakeoff's; they do not carry over to Vowpal Wabbit.",
  "resamples": "Sets of as many datasets, drawn from these with replacement: what might have been, had other datasets of this kind been chosen.",
  "IPS": "Inverse propensity scoring: each logged cost is divided by the probability of its action, which makes the mean unbiased for another policy.",
  shuffle: "An order of a dataset's rows; each has draws of its own.",
  shuffles: "Orders of a dataset's rows; each has draws of its own.",
};

const MEANINGS = new Map(Object.entries(TERMS).map(([word, meaning]) => [word.toLowerCase(), meaning]));

// Text in which {words} are explained by a popover.
function explained(text) {
  return text.split(/\{([^}]+)\}/).map((part, k) => (k % 2 ? termOf(part) : part)).filter(Boolean);
}

// A quiet paragraph, with such words.
function note(text, ...more) {
  return h("p", { class: "quiet" }, ...explained(text), ...more);
}

function termOf(word) {
  const meaning = MEANINGS.get(word.toLowerCase());
  if (!meaning) return `{${word}}`; // a name with such signs
  const button = h("button", { type: "button", class: "term", onclick: () => {
    const box = $("term"), { left, bottom } = button.getBoundingClientRect();
    fill(box, meaning);
    box.showPopover?.();
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${Math.min(bottom + 4, innerHeight - box.offsetHeight - 8)}px`;
    say(meaning);
  } }, word);
  return button;
}

// A row of texts, of an algorithm if it is one.
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
