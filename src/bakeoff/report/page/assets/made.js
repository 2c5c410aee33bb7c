"use strict";
// How the results were made: what was run, what failed, what is counted how.

function listOf(title, lines, most = 200) {
  if (!lines.length) return [];
  const more = lines.length - most;
  return [h("details", {}, h("summary", {}, title),
    h("ul", {}, ...lines.slice(0, most).map((line) => h("li", {}, line)),
      more > 0 ? h("li", {}, `and ${whole(more)} more`) : null))];
}

// Links to the files beside the page, which need the folder to be there.
function fileLinks() {
  if (!DATA.files.length) return null;
  return h("p", { class: "files" }, "In the folder report, if it is still beside this page: ", ...DATA.files.flatMap((file, k) =>
    [k ? ", " : "", h("a", { href: encodeURI(file) }, file.split("/").at(-1))]), ".");
}

function drawMade() {
  const { facts, failures, lists, command } = DATA.made, digests = PROBLEMS.digest.map((digest, i) => `${PROBLEMS.name[i]}: ${digest}`);
  fill($("made-body"),
    command ? codeBox("The command that made this store", command, "made") : null,
    factList(facts.map(([name, text]) => [name, printedText(text)])),
    fileLinks(),
    failures.length ? tableBox("What ended in an error",
      [headings(["dataset", "runs", "reason"], ["reason"])],
      failures.slice(0, 200).map(({ problem, runs, reason }) => rowOf(problem,
        [whole(runs), h("td", { class: "text" }, reason)])))
      : h("p", {}, "No run ended in an error."),
    failures.length > 200 ? h("p", {}, `and ${whole(failures.length - 200)} more`) : null,
    ...lists.flatMap(({ title, lines }) => listOf(title, lines)), ...listOf(`Digests of the datasets (${whole(N_PROBLEMS)})`, digests));
}
