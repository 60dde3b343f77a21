"use strict";

// Times, scales and searching: pure functions, tested on their own.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (number) => String(number).padStart(2, "0");

// A point of time from the start of the run: 13:30:00, 1d 02:00:00.
function instantText(at, unit) {
  if (unit !== "milliseconds") return String(at);
  const day = at >= DAY ? Math.floor(at / DAY) + "d " : "";
  const rest = at % DAY;
  const milli = rest % SECOND ? "." + String(rest % SECOND).padStart(3, "0") : "";
  const parts = [Math.floor(rest / HOUR), Math.floor((rest % HOUR) / MINUTE), Math.floor((rest % MINUTE) / SECOND)];
  return day + parts.map(two).join(":") + milli;
}

// A length of time: 27 min, 1 h 05 min, 3 min 35 s. Nothing is rounded.
function durationText(amount, unit) {
  if (unit !== "milliseconds") return amount + " " + (amount === 1 ? unit.replace(/s$/, "") : unit);
  if (amount > 0 && amount < SECOND) return amount + " ms";
  if (amount === DAY) return "24 h";
  const parts = [];
  const days = Math.floor(amount / DAY);
  const hours = Math.floor((amount % DAY) / HOUR);
  const minutes = Math.floor((amount % HOUR) / MINUTE);
  if (days) parts.push(days + " d");
  if (hours) parts.push(hours + " h");
  if (minutes) parts.push((parts.length ? two(minutes) : minutes) + " min");
  const seconds = Math.floor((amount % MINUTE) / SECOND);
  const rest = amount % SECOND;
  if (seconds || rest || !parts.length) {
    const fraction = rest ? ("." + String(rest).padStart(3, "0")).replace(/0+$/, "") : "";
    parts.push((parts.length ? two(seconds) : seconds) + fraction + " s");
  }
  return parts.join(" ");
}

// The least round distance of ticks that is at least this long.
function roundDistance(least, unit) {
  if (unit === "milliseconds") {
    const clock = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200];
    const found = clock.find((seconds) => seconds * SECOND >= least);
    if (found) return found * SECOND;
  }
  let step = unit === "milliseconds" ? DAY : 1;
  for (;;) {
    for (const digit of [1, 2, 5]) if (step * digit >= least) return step * digit;
    step *= 10;
  }
}

// The ticks of a window, with their labels, when one label needs this many pixels.
function ticks(view, pixels, room, unit) {
  const every = roundDistance(((view.to - view.from) / Math.max(pixels, 1)) * room, unit);
  const found = [];
  for (let at = Math.ceil(view.from / every) * every; at <= view.to; at += every) {
    let label = instantText(at, unit);
    if (unit === "milliseconds" && every % MINUTE === 0) label = label.replace(/:00$/, "");
    found.push({ at, label });
  }
  return found;
}

// The window closer or wider around an anchor that keeps its place. Never beyond the limits, never closer than `least`.
function zoomed(view, factor, anchor, limits, least) {
  const whole = limits.to - limits.from;
  const span = Math.min(whole, Math.max(least, (view.to - view.from) * factor));
  const share = (anchor - view.from) / (view.to - view.from);
  return within({ from: anchor - share * span, to: anchor + (1 - share) * span }, limits);
}

// The window moved by a time.
function panned(view, by, limits) {
  return within({ from: view.from + by, to: view.to + by }, limits);
}

// The window pushed back inside the limits, with its length kept where it fits.
function within(view, limits) {
  const span = Math.min(view.to - view.from, limits.to - limits.from);
  const from = Math.min(Math.max(view.from, limits.from), limits.to - span);
  return { from, to: from + span };
}

// The window moved as little as needed to show a time with some air around it.
function showing(view, time, limits) {
  const air = (view.to - view.from) * 0.08;
  if (time < view.from + air) return panned(view, time - air - view.from, limits);
  if (time > view.to - air) return panned(view, time + air - view.to, limits);
  return view;
}

// The first index from which `reached` is true; the items must be sorted so that it never becomes false again.
function firstIndex(items, reached) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reached(items[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Those of a row of bars that lie in the window. Bars of a row do not overlap, so both ends are sorted.
function visible(row, view) {
  const found = [];
  for (let at = firstIndex(row, (bar) => bar.end >= view.from); at < row.length; at += 1) {
    if (row[at].start > view.to) break;
    found.push(row[at]);
  }
  return found;
}

// Pieces for drawing: neighbours too narrow to tell apart become one dense piece, so that a row never has more pieces
// than pixels, however many bars it has.
function packed(bars, place, narrow) {
  const pieces = [];
  for (const bar of bars) {
    const left = place(bar.start);
    const right = place(bar.end);
    const last = pieces[pieces.length - 1];
    if (right - left < narrow && last && last.dense && left - last.right < narrow) {
      last.right = Math.max(last.right, right);
      last.bars += 1;
    } else {
      pieces.push({ left, right, bar, bars: 1, dense: right - left < narrow });
    }
  }
  return pieces;
}

// The parts of a bar between its breaks.
function partsOf(bar) {
  const parts = [];
  let from = bar.start;
  for (const gap of bar.breaks) {
    parts.push({ start: from, end: gap.start });
    from = gap.end;
  }
  parts.push({ start: from, end: bar.end });
  return parts;
}
