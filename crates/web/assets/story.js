"use strict";
// The story of a run as the page has heard it. Every text in it comes from models and skills, so nothing here is ever read as
// markup: the page is built of elements and text nodes alone. What is kept is bounded, however much is said.

const LIMITS = { frames: 20000, rows: 160, shapes: 1000, points: 5000, cells: 40000, trail: 20000, text: 300, series: 40 };

const shorten = (value, most = LIMITS.text) => {
  const text = String(value ?? "");
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
};
const number = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
const list = (value) => (Array.isArray(value) ? value : []);
const record = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
const pairOf = (value) => {
  const [x, y] = list(value);
  return number(x) !== null && number(y) !== null ? [x, y] : null;
};

class Story {
  constructor() {
    this.head = null;
    this.end = null;
    this.frames = [];      // one for each cycle
    this.rows = new Map(); // lines of minds over the cycles
    this.series = new Map();
    this.claims = [];
    this.drawing = new Drawing();
    this.skipped = 0;
  }

  // Takes an event in. Unknown events are passed over.
  hear(event) {
    if (event.event === "begin") {
      this.head = event;
      this.lines(list(event.minds), -1);
    } else if (event.event === "earlier") {
      this.skipped = number(event.events) ?? 0;
      list(event.shown).forEach((shown) => this.show(shown, 0, { }));
    } else if (event.event === "cycle") {
      this.cycle(event);
    } else if (event.event === "end") {
      this.end = event;
      const known = list(event.standings).map((standing) => ({
        name: shorten(standing.claim), text: shorten(standing.standing), alarm: standing.alarm === true, cycle: number(standing.cycle),
      }));
      if (known.length) this.standings = known;
    }
  }

  cycle(event) {
    if (this.frames.length >= LIMITS.frames) return;
    const at = this.frames.length;
    const frame = { cycle: number(event.cycle) ?? at + 1, log: [], minds: list(event.minds), decision: null, notes: this.frames.at(-1)?.notes ?? this.notes ?? [] };
    this.frames.push(frame);
    list(event.shown).forEach((shown) => this.show(shown, at, frame));
    this.drawing.close(at);
    this.lines(frame.minds, at);
    this.logs(event, frame);
    const alternatives = list(event.alternatives);
    if (alternatives.length > 1) {
      frame.decision = {
        cycle: frame.cycle, choice: number(event.choice), reason: shorten(event.reason),
        alternatives: alternatives.slice(0, 20).map((one) => ({
          text: shorten(one.text), values: list(one.values).slice(0, 12).map((value) => ({ query: shorten(value.query, 60), value: shorten(value.value, 60) })),
        })),
      };
    }
    this.last = frame.minds.length ? frame.minds : this.last;
    frame.minds = frame.minds.length ? frame.minds : this.last ?? [];
  }

  show(shown, at, frame) {
    shown = record(shown);
    if (shown.chart) this.drawing.draw(record(shown.chart), at);
    for (const figure of list(shown.figures).map(record)) {
      const name = shorten(figure.name, 60);
      if (!this.series.has(name) && this.series.size >= LIMITS.series) continue;
      const series = this.series.get(name) ?? { name, values: [] };
      for (const key of ["least", "most", "limit"]) series[key] = number(figure[key]) ?? series[key] ?? null;
      series.unit = shorten(figure.unit, 12);
      series.values[at] = number(figure.value);
      this.series.set(name, series);
    }
    const notes = list(shown.notes).map(record).slice(0, 12);
    if (notes.length) {
      this.notes = notes.map((note) => ({ name: shorten(note.name, 60), text: shorten(note.text) }));
      frame.notes = this.notes;
    }
  }

  // Lines of minds: beliefs are held or not; lines such as "plan 4: Hold position (2 of 3)" are so far.
  lines(minds, at) {
    const several = minds.length > 1;
    for (const mind of minds.map(record)) {
      for (const section of list(mind.sections).map(record)) {
        const beliefs = section.title === "beliefs";
        if (!beliefs && ["events", "desires", "counters"].includes(section.title)) continue;
        for (const item of list(section.items).slice(0, 400)) {
          const text = shorten(item);
          const parts = beliefs ? null : /^(.{1,60}?)(?::.*)? \((\d+) of (\d+)\)$/.exec(text);
          const name = (several ? shorten(mind.agent, 40) + ": " : "") + (parts ? parts[1] : text);
          this.mark((beliefs ? "b" : "p") + name, name, beliefs, at, parts ? Number(parts[2]) / Math.max(1, Number(parts[3])) : 1, text);
        }
      }
    }
  }

  mark(key, name, beliefs, at, level, text) {
    let row = this.rows.get(key);
    if (!row) {
      if (this.rows.size >= LIMITS.rows) return;
      row = { name, beliefs, spans: [] };
      this.rows.set(key, row);
    }
    const last = row.spans.at(-1);
    if (last && last.to === at && last.level === level) last.to = at + 1;
    else row.spans.push({ from: at, to: at + 1, level, text });
  }

  logs(event, frame) {
    const add = (kind, sign, text) => { if (frame.log.length < 60) frame.log.push({ cycle: frame.cycle, kind, sign, text: shorten(text) }); };
    for (const order of list(event.orders).map(record)) {
      if (order.call !== undefined) add("order", "→", order.call);
      else add("order", "×", `stop ${shorten(order.stop)}`);
    }
    for (const news of list(event.news).map(record)) {
      if (news.feedback !== undefined) add("news", "←", news.feedback);
      else if (news.percept !== undefined) add("news", news.value ? "+" : "−", news.percept);
      else if (news.message !== undefined) add("news", "✉", `${shorten(news.from, 40)}: ${shorten(news.message)}`);
      else if (news.trouble !== undefined) add("problem", "!", news.trouble);
    }
    const told = new Set(list(event.news).map((news) => shorten(record(news).percept ?? record(news).feedback)));
    for (const change of list(event.changes).map(record)) {
      // A plan that goes on is told once, by where it has come to.
      const passed = change.section !== "beliefs" && change.sign !== "+";
      if (change.section !== "counters" && !passed && !told.has(shorten(change.item))) add("shift", change.sign === "+" ? "+" : "−", change.section === "beliefs" ? `believes ${shorten(change.item)}` : shorten(change.item));
    }
    for (const remark of list(event.remarks).map(record)) {
      // What was hoped for or is merely told is no problem.
      const calm = remark.about === "threshold" || (remark.about === "claim" && !shorten(remark.text).includes(" is violated "));
      add(calm ? "said" : "problem", calm ? "·" : "!", `${shorten(remark.about, 60)}: ${shorten(remark.text)}`);
      if (remark.about === "claim") this.claims.push({ at: this.frames.length - 1, text: shorten(remark.text) });
    }
    list(event.said).slice(0, 20).forEach((said) => add("said", "·", said));
  }
}
