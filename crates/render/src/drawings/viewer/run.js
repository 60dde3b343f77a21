"use strict";

// The run as the page asks it: who does what at a time, what is so and who believes what. Pure functions on the data.

const UNKNOWN = new Set(["", "none", "unknown"]);

// The data with what drawing needs: rows of bars, marks per lane, instants, histories of values.
function prepared(data) {
  const lanes = data.lanes.map((lane, at) => ({
    at,
    name: lane.name,
    bars: lane.bars,
    stays: lane.stays,
    rows: rowsOf(lane.bars),
    marks: [],
  }));
  lanes.forEach((lane) => lane.bars.forEach((bar, at) => Object.assign(bar, { lane: lane.at, at })));
  lanes.forEach((lane) => bottoms(lane.bars));
  const instants = [];
  const arrows = [];
  data.entries.forEach((entry, at) => {
    entry.at = at;
    if (instants[instants.length - 1] !== entry.time) instants.push(entry.time);
    if (entry.kind === "tells") arrows.push(entry);
    if (MARKS.has(entry.kind) && entry.step > 0) lanes[entry.lane].marks.push(entry);
  });
  const last = data.deadline && data.deadline.missed ? Math.max(data.end, data.deadline.due) : data.end;
  const limits = { from: 0, to: Math.max(last, 1) * 1.04 };
  return { ...data, lanes, instants, arrows, limits, subjects: histories(data) };
}

// Sorts of entries that are marks above the bars.
const MARKS = new Set(["thinks", "believes", "makes", "detects", "remarks"]);

function rowsOf(bars) {
  const rows = [];
  for (const bar of bars) {
    while (rows.length <= bar.row) rows.push([]);
    rows[bar.row].push(bar);
  }
  return rows;
}

// How far down a bar reaches with all that is inside it.
function bottoms(bars) {
  for (const bar of bars) bar.bottom = bar.row;
  for (let at = bars.length - 1; at >= 0; at -= 1) {
    const bar = bars[at];
    if (bar.inside !== null) bars[bar.inside].bottom = Math.max(bars[bar.inside].bottom, bar.bottom);
  }
}

// Per subject the changes of the fact and of each lane's belief, in order.
function histories(data) {
  const subjects = new Map();
  const history = (subject) => {
    if (!subjects.has(subject)) subjects.set(subject, { fact: [], beliefs: new Map() });
    return subjects.get(subject);
  };
  const made = new Set(data.entries.filter((entry) => entry.kind === "makes").map((entry) => entry.subject));
  for (const entry of data.entries) {
    if (entry.kind === "makes") history(entry.subject).fact.push(entry);
    if (entry.kind === "arrives") {
      const subject = data.lanes[entry.lane].name + ".location";
      const change = { time: entry.time, before: entry.from, after: entry.place };
      if (!made.has(subject)) history(subject).fact.push(change);
    }
    if (entry.kind === "believes") {
      const beliefs = history(entry.subject).beliefs;
      if (!beliefs.has(entry.lane)) beliefs.set(entry.lane, []);
      beliefs.get(entry.lane).push(entry);
    }
  }
  return new Map([...subjects].sort((a, b) => (a[0] < b[0] ? -1 : 1)));
}

// The value after all changes up to a time; before the first change, what it changed from.
function valueAt(changes, time) {
  if (!changes.length) return "";
  const next = firstIndex(changes, (change) => change.time > time);
  return next > 0 ? changes[next - 1].after : changes[0].before;
}

// Every subject at a time: the fact, the beliefs, and which of them differ from the fact.
function worldAt(run, time) {
  const world = [];
  for (const [subject, history] of run.subjects) {
    const fact = valueAt(history.fact, time);
    const beliefs = [...history.beliefs].map(([lane, changes]) => {
      const value = valueAt(changes, time);
      const differs = !UNKNOWN.has(fact) && !UNKNOWN.has(value) && fact !== value;
      return { lane, value, differs, fresh: changes.some((change) => change.time === time) };
    });
    const fresh = history.fact.some((change) => change.time === time);
    world.push({ subject, fact, fresh, beliefs });
  }
  return world;
}

// The entries of an instant.
function entriesAt(run, time) {
  const from = firstIndex(run.entries, (entry) => entry.time >= time);
  const to = firstIndex(run.entries, (entry) => entry.time > time);
  return run.entries.slice(from, to);
}

// What a lane does at a time, the outermost first, and what it has put aside.
function doing(lane, time) {
  const open = lane.bars.filter((bar) => bar.start <= time && (time < bar.end || (time === bar.end && bar.ending === null)));
  return open.map((bar) => ({ bar, gap: bar.breaks.find((gap) => gap.start <= time && time < gap.end) }));
}

// The instant before (-1) or after (1) a time; the time itself where there is none.
function neighbour(instants, time, direction) {
  const next = firstIndex(instants, (at) => (direction > 0 ? at > time : at >= time));
  const at = direction > 0 ? next : next - 1;
  return at >= 0 && at < instants.length ? instants[at] : time;
}

// Lanes that a claim names in one of its atoms.
function namedLanes(run) {
  const named = (lane) => run.strips.some((strip) => new RegExp("(^|\\W)" + escaped(lane.name) + "(\\W|$)").test(strip.atom));
  return run.lanes.filter(named).map((lane) => lane.at);
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

// An entry in words: what is done, and what it is about.
function phrase(run, entry) {
  const unit = run.unit;
  const change = () => entry.subject + ": " + entry.before + " → " + entry.after;
  const endings = {
    done: "ends",
    aborted: "aborts",
    completed: "cuts short",
    interrupted: "puts aside",
    impassed: "is held up in",
  };
  switch (entry.kind) {
    case "begins": {
      const notes = [];
      if (entry.length !== null) notes.push(durationText(entry.length, unit));
      if (entry.priority !== null) notes.push("priority " + entry.priority);
      const about = [entry.detail, notes.length ? "(" + notes.join(", ") + ")" : ""].filter(Boolean).join(" ");
      return [(entry.work === "move" ? "moves: " : "does ") + entry.name, about];
    }
    case "ends":
      return [endings[entry.ending] + " " + entry.name, ""];
    case "resumes":
      return ["resumes " + entry.name, entry.length === null ? "" : "(" + durationText(entry.length, unit) + " left)"];
    case "thinks":
      return ["thinks " + entry.name, ""];
    case "believes":
      return ["believes", change()];
    case "makes":
      return ["makes", change()];
    case "tells":
      return ["tells " + run.lanes[entry.to].name, entry.content];
    case "detects":
      return ["detects " + entry.name, entry.action];
    case "arrives":
      return entry.from ? ["arrives", entry.from + " → " + entry.place] : ["is at", entry.place];
    default:
      return ["notes", entry.text];
  }
}
