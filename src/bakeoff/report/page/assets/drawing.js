"use strict";
// Drawing: what is in view is drawn first, tables when the browser is idle, and plots
// when they come near.

const PARTS = [];
const NEAR = "400px";
const PATIENCE = 100; // milliseconds; without a limit the browser may never be idle

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const part = PARTS.find((one) => one.element === entry.target);
    part.isNear = entry.isIntersecting;
    if (part.isNear) drawPart(part);
  }
}, { rootMargin: NEAR });

// A part of the page, drawn by a function whenever the state has changed.
function part(element, draw, { isPlot = false, isLate = false } = {}) {
  const one = { element, draw, isPlot, isStale: true, isNear: false };
  PARTS.push(one);
  if (!isLate) watcher.observe(element);
}

function drawPart(one) {
  if (!one.isStale) return;
  one.isStale = false;
  one.draw();
}

// Draw the parts with these ids, near or not.
function drawNow(...ids) {
  PARTS.filter((one) => ids.includes(one.element.id)).forEach(drawPart);
}

function redraw() {
  forgetContests();
  for (const one of PARTS) one.isStale = true;
  PARTS.filter((one) => one.isNear).forEach(drawPart);
  whenIdle();
}

function whenIdle() {
  const next = PARTS.find((one) => one.isStale && !one.isPlot);
  const later = window.requestIdleCallback ?? setTimeout;
  later(() => {
    if (!next) {
      loadPlotly();
      return;
    }
    drawPart(next);
    whenIdle();
  }, { timeout: PATIENCE });
}

window.addEventListener("beforeprint", () => PARTS.forEach(drawPart));

// ---- plots

// Plotly stands in the page as text, and is read when the tables are there: it is large.
function loadPlotly() {
  if (!window.Plotly) document.head.append(h("script", {}, $("plotly").textContent));
}

const MARKERS = {
  o: "circle", s: "square", D: "diamond", "^": "triangle-up", v: "triangle-down",
  P: "cross", X: "x",
};
const DASHES = { "-": "solid", "--": "dash", "-.": "dashdot", ":": "dot" };
const BLACK = "#000000"; // what is black on paper has the colour of the text here
const BUTTONS = ["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// The look of an algorithm, the same in all plots and figures.
function styleOf(label) {
  const look = DATA.looks[label];
  return {
    colour: look.colour === BLACK ? colour("--text") : look.colour,
    marker: MARKERS[look.marker],
    dash: DASHES[look.dash],
  };
}

function axis(title, changes = {}) {
  return {
    title: { text: title, standoff: 8 }, gridcolor: colour("--line"),
    zerolinecolor: colour("--line"), linecolor: colour("--line"), automargin: true,
    ...changes,
  };
}

// Names in labels and hover texts: Plotly reads some HTML in them.
function safe(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

// Draw a plot; its description is what screen readers say.
function plot(element, description, traces, layout, onClick = null) {
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", description);
  const look = {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "system-ui, sans-serif", size: 13, color: colour("--text") },
    margin: { l: 60, r: 16, t: 16, b: 50 }, hovermode: "closest",
    hoverlabel: {
      align: "left", bgcolor: colour("--page"), bordercolor: colour("--quiet"),
      font: { color: colour("--text"), size: 13 },
    },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0 },
    dragmode: "zoom", ...layout,
  };
  const options = { // by default there is a button that sends the plot to a server
    responsive: true, displaylogo: false, plotlyServerURL: "", modeBarButtons: [BUTTONS],
  };
  loadPlotly();
  Plotly.react(element, traces, look, options);
  if (onClick && !element.hasClick) {
    element.hasClick = true;
    element.on("plotly_click", (event) => onClick(event.points[0]));
  }
}

// Where there is nothing to draw: say so instead.
function noPlot(element, text) {
  if (element.data) Plotly.purge(element);
  element.hasClick = false;
  element.removeAttribute("role");
  element.removeAttribute("aria-label");
  element.classList.add("empty");
  fill(element, h("p", { class: "quiet" }, text));
}

// Remove what noPlot said before a plot is drawn.
function readyForPlot(element) {
  if (!element.data) fill(element);
  element.classList.remove("empty");
}
