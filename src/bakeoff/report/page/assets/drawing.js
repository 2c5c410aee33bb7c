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

let isWaiting = false; // for the browser to be idle

function whenIdle() {
  if (isWaiting) return;
  isWaiting = true;
  const later = window.requestIdleCallback ?? setTimeout;
  later((idle) => {
    isWaiting = false;
    do {
      const next = PARTS.find((one) => one.isStale);
      if (!next) return;
      drawPart(next);
    } while (idle?.timeRemaining?.() > 0);
    whenIdle();
  }, { timeout: PATIENCE });
}

// Show or hide a section and its link; whether it is shown.
function showSection(id, isShown) {
  $(id).hidden = !isShown;
  const link = document.querySelector(`nav a[href="#${id}"]`);
  if (link) link.hidden = !isShown;
  return isShown;
}

// ---- print: everything is drawn, for narrower paper, so that words in pictures stay legible

const PAPER = 0.75; // of the width on the screen

function drawAllPictures(share) {
  for (const one of document.querySelectorAll(".plot")) if (one.picture && one.clientWidth) drawPicture(one, share * one.clientWidth);
}

window.addEventListener("beforeprint", () => {
  PARTS.forEach(drawPart);
  drawAllPictures(PAPER);
});
window.addEventListener("afterprint", () => drawAllPictures(1));
