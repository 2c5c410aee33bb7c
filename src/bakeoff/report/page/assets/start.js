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
  if (!link || event.defaultPrevented) return;
  event.preventDefault();
  goTo(link.getAttribute("href").slice(1));
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (!$("dataset").hidden) closeDataset();
  else if (!$("controls").hidden) toggleFilters();
});
$("controls-form").addEventListener("submit", (event) => event.preventDefault());
$("controls-foot").append(resetButton());
$("open-filters").addEventListener("click", toggleFilters);
$("close-filters").addEventListener("click", toggleFilters);
$("close-dataset").addEventListener("click", closeDataset);
$("standings-tabs").addEventListener("keydown", walkTabs);
$("reset").addEventListener("click", () => change({ ...DEFAULTS, dataset: STATE.dataset, tab: STATE.tab }));
$("copy-link").addEventListener("click", () => copy(location.href, $("copy-link")));
window.addEventListener("hashchange", () => {
  readAddress();
  redraw();
});
new ResizeObserver(([{ target }]) => { // links stop below the bar, however high it is
  document.documentElement.style.scrollPaddingTop = `${target.offsetHeight + 12}px`;
}).observe($("bar"));

readAddress();
$("subtitle").textContent = DATA.subtitle;
part($("verdict"), drawVerdict);
part($("bar"), drawControls);
part($("standings"), drawStandings);
part($("use"), drawUse);
part($("answers"), drawAnswers, { isLate: true });
part($("table"), drawMainTable);
part($("pair"), drawPair);
part($("kinds"), drawKinds);
part($("quarters"), drawQuarters);
part($("curves"), drawMeanCurves);
part($("rates"), drawRates);
part($("rates-plot"), drawRatesPlot);
part($("hyperparameters"), drawHyperparameters);
part($("costs"), drawCosts);
part($("paper"), drawPaperTables);
part($("ips"), drawIps);
part($("ips-all"), () => drawIpsPlot($("ips-all"), 0));
part($("ips-large"), () => drawIpsPlot($("ips-large"), RULES.large));
part($("datasets"), drawDatasets);
part($("dataset"), drawDataset);
part($("made"), drawMade);
redraw();
drawNow("verdict", "bar", "standings");
if (openProblem() >= 0) {
  drawNow("dataset");
  openDrawer("dataset");
}
