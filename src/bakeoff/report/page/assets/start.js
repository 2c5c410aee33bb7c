"use strict";
// Start: join state and parts, and keep links inside the page from touching the state.

function goTo(id) {
  const target = $(id);
  const heading = target.querySelector("h2") ?? target;
  heading.tabIndex = -1;
  target.scrollIntoView();
  heading.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (!link) return;
  event.preventDefault();
  goTo(link.getAttribute("href").slice(1));
});
$("controls-form").addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", () => {
  readAddress();
  redraw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

readAddress();
$("subtitle").textContent = DATA.subtitle;
part($("verdict"), drawVerdict);
part($("controls"), drawControls);
part($("table"), drawMainTable);
part($("pair"), drawPair);
part($("pair-plot"), drawScatter, { isPlot: true });
part($("paper"), drawPaperTables);
part($("breakdown"), drawBreakdown);
part($("rates"), drawRates);
part($("rates-plot"), drawRatesPlot, { isPlot: true });
part($("ips"), drawIps);
part($("ips-all"), () => drawIpsPlot($("ips-all"), 0), { isPlot: true });
part($("ips-large"), () => drawIpsPlot($("ips-large"), 10000), { isPlot: true });
part($("datasets"), drawDatasets);
part($("dataset"), drawDataset);
part($("made"), drawMade);
part($("other-views"), drawOtherViews, { isLate: true });
redraw();
drawNow("verdict", "controls", "table");
if (openProblem() >= 0) {
  drawNow("dataset");
  goTo("dataset");
}
