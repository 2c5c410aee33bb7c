"use strict";
// Drawing: what is in view is drawn first, the rest when the browser is idle.

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

// A part of the page, drawn by a function whenever the state has changed; a late one
// only when the browser is idle.
function part(element, draw, { isLate = false } = {}) {
  PARTS.push({ element, draw, isStale: true, isNear: false });
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

let isWaiting = false;

function whenIdle() {
  if (isWaiting) return;
  isWaiting = true;
  const later = window.requestIdleCallback ?? setTimeout;
  later(() => {
    isWaiting = false;
    const next = PARTS.find((one) => one.isStale);
    if (!next) return;
    drawPart(next);
    whenIdle();
  }, { timeout: PATIENCE });
}

// ---- print: everything is there, nothing is folded away

let opened = [];

window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const one of opened) one.open = true;
  isPrinting = true;
  for (const one of PARTS) one.isStale = true;
  PARTS.forEach(drawPart);
});
window.addEventListener("afterprint", () => {
  for (const one of opened) one.open = false;
  isPrinting = false;
  redraw();
});
let isPrinting = false;
