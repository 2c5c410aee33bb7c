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
$("reset").addEventListener("click", resetAll);
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
fill(document.querySelector("nav"), ...[...document.querySelectorAll("section[data-nav]")].map((section) =>
  h("a", { href: `#${section.id}` }, section.dataset.nav)));
part($("verdict"), drawVerdict);
part($("bar"), drawControls);
part($("distance"), drawFirst);
part($("use"), drawUse);
part($("exceptions"), drawExceptions, { isLate: true });
part($("ways"), drawWays, { isLate: true });
part($("cost"), drawCost);
part($("sure"), drawSure);
part($("influence"), drawInfluence);
part($("measures"), drawStandings);
part($("table"), drawMainTable);
part($("pair"), drawPair);
part($("kinds"), drawKinds);
part($("quarters"), drawQuarters);
part($("curves"), drawMeanCurves);
part($("tuned"), drawTuned);
part($("hyperparameters"), drawHyperparameters);
part($("rates"), drawRates);
part($("rates-plot"), drawRatesPlot);
part($("datasets"), drawDatasets);
part($("alone"), drawAlone);
part($("ips"), drawIps);
part($("ips-all"), () => drawIpsPlot($("ips-all"), 0));
part($("ips-large"), () => drawIpsPlot($("ips-large"), RULES.large));
part($("dataset"), drawDataset);
part($("made"), drawMade);
part($("paper"), drawPaperTables);
part($("sure-body"), drawOpinions, { isLate: true });
drawNow("verdict", "bar", "distance");
requestAnimationFrame(() => setTimeout(whenIdle, PATIENCE)); // the rest when these can be seen
if (openProblem() >= 0) {
  drawNow("dataset");
  openDrawer("dataset");
}
