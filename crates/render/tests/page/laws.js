// What must be true of the page's pure functions. The result is written into the document, where the test reads it.
const failures = [];
let laws = 0;
function same(actual, expected, what) {
  laws += 1;
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    failures.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  }
}

same(instantText(48600000, "milliseconds"), "13:30:00", "an instant is a clock time");
same(instantText(93600000, "milliseconds"), "1d 02:00:00", "the second day is named");
same(instantText(1250, "milliseconds"), "00:00:01.250", "milliseconds are kept");
same(instantText(12, "cycles"), "12", "cycles are plain numbers");
same(durationText(1620000, "milliseconds"), "27 min", "minutes");
same(durationText(3900000, "milliseconds"), "1 h 05 min", "hours and minutes");
same(durationText(215000, "milliseconds"), "3 min 35 s", "minutes and seconds");
same(durationText(1, "cycles"), "1 cycle", "one cycle");
same(roundDistance(420000, "milliseconds"), 600000, "ticks are round");

const limits = { from: 0, to: 1000 };
const closer = zoomed(limits, 0.5, 250, limits, 10);
same(closer, { from: 125, to: 625 }, "the anchor keeps its place");
same(zoomed(closer, 100, 400, limits, 10), limits, "never wider than the run");
const least = zoomed(closer, 0.0001, 300, limits, 10);
same(Math.round(least.to - least.from), 10, "never closer than the least");
same(panned(closer, -1000, limits), { from: 0, to: 500 }, "never before the start");
same(panned(closer, 1000, limits), { from: 500, to: 1000 }, "never behind the end");
same(showing(closer, 400, limits), closer, "what is seen stays");
same(showing(closer, 900, limits).to > 900, true, "what is not seen comes into the window");

const row = [0, 1, 2, 3, 4].map((n) => ({ start: n * 10, end: n * 10 + 5, breaks: [] }));
same(visible(row, { from: 12, to: 31 }).map((bar) => bar.start), [10, 20, 30], "bars that touch the window");
const many = Array.from({ length: 5000 }, (_, n) => ({ start: n, end: n + 1 }));
const pieces = packed(many, (time) => time / 10, 3);
same(pieces.reduce((sum, piece) => sum + piece.bars, 0), 5000, "no bar is lost");
same(pieces.length < 600, true, "narrow neighbours become one piece");
same(packed(row, (time) => time * 10, 3).length, 5, "wide bars stay apart");
const bar = { start: 0, end: 10, breaks: [{ start: 2, end: 3 }, { start: 5, end: 7 }] };
same(partsOf(bar).map((part) => [part.start, part.end]), [[0, 2], [3, 5], [7, 10]], "the parts between the breaks");

const changes = [{ time: 5, before: "a", after: "b" }, { time: 9, before: "b", after: "c" }];
same([4, 5, 8, 9, 20].map((time) => valueAt(changes, time)), ["a", "b", "b", "c", "c"], "values over time");
same([neighbour([0, 5, 9], 5, 1), neighbour([0, 5, 9], 5, -1), neighbour([0, 5, 9], 9, 1)], [9, 0, 9], "instants nearby");
same([neighbour([0, 5, 9], 6, -1), neighbour([0, 5, 9], 6, 1)], [5, 9], "instants around a time between");

const entry = (time, lane, kind, more) => ({ time, lane, kind, step: 1, cause: false, origin: null, ...more });
const lane = (name) => ({ name, bars: [], stays: [] });
const run = prepared({
  unit: "milliseconds", end: 10, repeats: null, steps: 2, times: [0, 5, 10], strips: [{ atom: "Bel(Bob, x.a = 1)", holds: [] }], deadline: null,
  lanes: [lane("Bob"), lane("Bobby")],
  entries: [
    entry(5, 0, "makes", { subject: "x.a", before: "0", after: "1" }),
    entry(5, 1, "believes", { subject: "x.a", before: "none", after: "0" }),
    entry(8, 1, "believes", { subject: "x.a", before: "0", after: "1" }),
    entry(9, 0, "arrives", { from: "home", place: "work" }),
  ],
});
const differs = (time) => worldAt(run, time).flatMap((one) => one.beliefs.filter((belief) => belief.differs).map((belief) => belief.lane));
same([differs(0), differs(5), differs(8)], [[], [1], []], "a belief differs while it is not the fact; no belief does not differ");
same(worldAt(run, 9).find((one) => one.subject === "Bob.location").fact, "work", "where somebody is is a fact");
same(namedLanes(run), [0], "a claim names whole names");
same(entriesAt(run, 5).length, 2, "all entries of an instant");

document.body.textContent = failures.length ? "FAILED " + failures.join("; ") : `${laws} laws hold`;
