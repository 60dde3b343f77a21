"use strict";

// Drawing: strings of SVG for the part of the run that can be seen. Nothing here keeps state.

const GUTTER = 176;
const ROW = 19;
const PLACES = 17;
const MARKROW = 16;
const AXIS = 30;
const STRIP = 29;
const NARROW = 3;

function text(value) {
  return String(value).replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);
}

// Where everything stands: the lanes one below the other, times as x.
function layout(run, chosen, view, width, options) {
  let y = 6;
  const lanes = run.lanes.filter((lane) => chosen.has(lane.at)).map((lane) => {
    const places = options.places && lane.stays.length > 0;
    const marks = options.marks && lane.marks.length > 0;
    const top = y;
    const placesY = top;
    const marksY = placesY + (places ? PLACES : 0);
    const barsY = marksY + (marks ? MARKROW : 0);
    const height = Math.max(barsY - top + Math.max(lane.rows.length, 1) * ROW + 4, 26);
    y = top + height + 7;
    return { lane, top, height, places, marks, placesY, marksY, barsY };
  });
  const pixels = Math.max(width - GUTTER - 14, 50);
  const x = (time) => GUTTER + ((time - view.from) / (view.to - view.from)) * pixels;
  const time = (at) => view.from + ((at - GUTTER) / pixels) * (view.to - view.from);
  return { lanes, height: y, pixels, width, x, time };
}

// How wide a letter of the chart is, in pixels; the page measures it for the font it has.
const letter = { width: 6.7 };

// A text cut to the pixels it has.
function fitted(value, pixels) {
  const letters = Math.floor((pixels - 7) / letter.width);
  if (letters < 2) return "";
  return value.length <= letters ? value : letters < 4 ? "" : value.slice(0, letters - 1) + "…";
}

function drawAxis(run, view, place) {
  const parts = [];
  if (run.repeats !== null) {
    const left = Math.max(place.x(run.repeats), GUTTER);
    const right = place.x(run.end);
    if (right > left) {
      parts.push(`<rect class="loop" x="${left}" y="2" width="${right - left}" height="9"/>`);
      parts.push(`<text class="small" x="${left + 4}" y="10">${text(fitted("↻ repeats for ever", right - left))}</text>`);
    }
  }
  for (const tick of ticks(view, place.pixels, 84, run.unit)) {
    const at = place.x(tick.at);
    parts.push(`<line class="tick" x1="${at}" x2="${at}" y1="22" y2="${AXIS}"/>`);
    parts.push(`<text class="axis" x="${at}" y="19" text-anchor="middle">${text(tick.label)}</text>`);
  }
  return parts.join("");
}

// The lanes that can be seen, from `top` to `bottom` of the scrolled page.
function drawLanes(run, view, place, top, bottom, state) {
  const seen = place.lanes.filter((one) => one.top + one.height >= top && one.top <= bottom);
  const parts = [];
  for (const tick of ticks(view, place.pixels, 84, run.unit)) {
    const at = place.x(tick.at);
    parts.push(`<line class="grid" x1="${at}" x2="${at}" y1="${top}" y2="${bottom}"/>`);
  }
  for (const one of seen) parts.push(drawLane(run, view, place, one, state));
  if (state.arrows) parts.push(drawArrows(run, view, place, top, bottom));
  for (const one of seen) parts.push(drawName(run, one, state));
  return parts.join("");
}

function drawName(run, one, state) {
  const chosen = state.lane === one.lane.at ? " chosen" : "";
  const wrong = state.wrong.get(one.lane.at);
  const mark = wrong ? `<tspan class="wrong"> !${wrong > 1 ? wrong : ""}</tspan>` : "";
  const now = doing(one.lane, state.cursor).filter((work) => !work.gap);
  const work = now.length ? now[now.length - 1].bar.name : "";
  return (
    `<g class="name${chosen}" data-lane="${one.lane.at}"><rect class="back" x="0" y="${one.top - 3}" width="${GUTTER - 4}" height="${one.height + 6}"/>` +
    `<text x="10" y="${one.top + 14}">${text(fitted(one.lane.name, GUTTER - 34))}${mark}</text>` +
    (work && one.height > 34 ? `<text class="small" x="10" y="${one.top + 29}">${text(fitted(work, GUTTER - 14))}</text>` : "") +
    `</g>`
  );
}

function drawLane(run, view, place, one, state) {
  const { lane } = one;
  const chosen = state.lane === lane.at ? " chosen" : "";
  const parts = [`<g class="lane${chosen}" data-lane="${lane.at}">`];
  parts.push(`<rect class="ground" x="${GUTTER}" y="${one.top - 3}" width="${place.pixels}" height="${one.height + 6}"/>`);
  if (one.places) parts.push(drawPlaces(run, view, place, one));
  lane.rows.forEach((row, at) => {
    const pieces = packed(visible(row, view), place.x, NARROW);
    pieces.forEach((piece, number) => {
      const next = number + 1 < pieces.length ? pieces[number + 1].left : place.width - 14;
      parts.push(drawPiece(run, place, one, at, piece, next, state));
    });
  });
  if (one.marks) parts.push(drawMarks(run, view, place, one));
  parts.push("</g>");
  return parts.join("");
}

function drawPlaces(run, view, place, one) {
  const stays = one.lane.stays;
  const parts = [];
  const first = Math.max(firstIndex(stays, (stay) => stay.end >= view.from), 0);
  let taken = -1;
  for (let at = first; at < stays.length && stays[at].start <= view.to; at += 1) {
    const stay = stays[at];
    const left = Math.max(place.x(stay.start), GUTTER);
    const right = Math.min(at + 1 === stays.length ? place.x(run.limits.to) : place.x(stay.end), place.width - 14);
    if (right - left < 1 && left - taken < 1) continue;
    taken = right;
    const shade = at % 2 ? "odd" : "even";
    parts.push(`<rect class="place ${shade}" x="${left}" y="${one.placesY}" width="${Math.max(right - left, 1)}" height="${PLACES - 4}"/>`);
    const label = fitted("⌂ " + stay.place, right - left);
    if (label) parts.push(`<text class="small" x="${left + 4}" y="${one.placesY + 10}">${text(label)}</text>`);
  }
  return parts.join("");
}

const SIGNS = { move: "→ ", communicate: "✉ ", composite: "▣ ", handle: "✋ ", create: "+ ", foreign: "ƒ ", frame: "", primitive: "" };

// A bar with its name inside, or beside it where there is room up to `next`.
function drawPiece(run, place, one, row, piece, next, state) {
  const { bar } = piece;
  const y = one.barsY + row * ROW;
  const edge = place.width - 14;
  const left = Math.max(piece.left, GUTTER);
  const right = Math.min(piece.right, edge);
  if (piece.dense) {
    const width = Math.max(right - left, 2);
    const many = piece.bars > 1 ? " many" : "";
    return `<rect class="bar ${bar.work} dense${many}" data-bar="${bar.lane}.${bar.at}" x="${left}" y="${y}" width="${width}" height="${ROW - 4}"/>`;
  }
  const height = (bar.bottom - bar.row + 1) * ROW - 3;
  const chosen = state.bar === bar ? " selected" : "";
  const parts = [`<g class="bar ${bar.work}${chosen}" data-bar="${bar.lane}.${bar.at}">`];
  const name = SIGNS[bar.work] + bar.name;
  // What is inside is a little narrower than what is around it.
  const inset = bar.inside === null ? 0 : Math.min(2, (right - left) / 8);
  let named = false;
  for (const part of partsOf(bar)) {
    const from = Math.max(place.x(part.start), GUTTER) + inset;
    const to = Math.min(place.x(part.end), edge) - inset;
    if (to >= from && place.x(part.end) >= GUTTER) {
      parts.push(`<rect class="work" x="${from}" y="${y}" width="${Math.max(to - from, 1.5)}" height="${height}" rx="2"/>`);
      const long = fitted(name + (bar.detail ? " " + bar.detail : ""), to - from);
      const label = long.endsWith("…") ? fitted(name, to - from) : long;
      named = named || label !== "";
      if (label) parts.push(`<text x="${from + 4}" y="${y + 12.5}">${text(label)}</text>`);
    }
  }
  if (!named && right < edge && next - right > name.length * letter.width + 12) {
    parts.push(`<text class="small" x="${right + 4}" y="${y + 12}">${text(name)}</text>`);
  }
  for (const gap of bar.breaks) parts.push(drawBreak(place, gap, y, height, edge));
  parts.push(drawEnding(bar, place, y, edge));
  parts.push("</g>");
  return parts.join("");
}

// Interrupted work has red edges, work at an impasse is hatched; both carry a sign of their own.
function drawBreak(place, gap, y, height, edge) {
  const left = Math.max(place.x(gap.start), GUTTER);
  const right = Math.min(place.x(gap.end), edge);
  if (right < GUTTER || left > edge) return "";
  const width = Math.max(right - left, 1);
  const sign = gap.why === "impassed" ? "⊘" : "‖";
  const label = width > 12 ? `<text class="sign" x="${left + 3}" y="${y + 12.5}">${sign}</text>` : "";
  const edges =
    gap.why === "interrupted"
      ? `<path class="edge" d="M${left} ${y}v${height}M${left + width} ${y}v${height}"/>`
      : "";
  return `<rect class="gap ${gap.why}" x="${left}" y="${y}" width="${width}" height="${height}"/>${edges}${label}`;
}

function drawEnding(bar, place, y, edge) {
  const at = place.x(bar.end);
  const sign = { aborted: "✗", completed: "»", interrupted: "‖", impassed: "⊘" }[bar.ending];
  if (!sign || at < GUTTER || at > edge) return "";
  return `<text class="ending" x="${at - 2}" y="${y + 12.5}" text-anchor="end">${sign}</text>`;
}

// Thoughts are bulbs, beliefs diamonds, facts squares, detections triangles; several close together become one with
// their number.
function drawMarks(run, view, place, one) {
  const marks = one.lane.marks;
  const parts = [];
  const y = one.marksY + 7;
  let at = firstIndex(marks, (mark) => mark.time >= view.from);
  while (at < marks.length && marks[at].time <= view.to) {
    const x = place.x(marks[at].time);
    let next = at + 1;
    while (next < marks.length && place.x(marks[next].time) - x < (next - at > 1 ? 24 : 13)) next += 1;
    const group = marks.slice(at, next);
    const order = ["makes", "detects", "thinks", "believes", "remarks"];
    const kind = order.find((kind) => group.some((mark) => mark.kind === kind));
    const cause = group.some((mark) => mark.cause) ? " cause" : "";
    const number = next - at > 1 ? `<text class="small" x="${x + 5}" y="${y + 3}">${next - at}</text>` : "";
    parts.push(`<g class="mark ${kind}${cause}" data-entry="${marks[at].at}">${drawSign(kind, x, y)}${number}</g>`);
    at = next;
  }
  return parts.join("");
}

function drawSign(kind, x, y) {
  switch (kind) {
    case "thinks":
      return `<circle cx="${x}" cy="${y - 1}" r="3.4"/><path d="M${x - 1.6} ${y + 4}h3.2M${x - 1.1} ${y + 5.8}h2.2"/>`;
    case "believes":
      return `<path d="M${x} ${y - 4}l4 4l-4 4l-4 -4z"/>`;
    case "makes":
      return `<rect x="${x - 3.4}" y="${y - 3.4}" width="6.8" height="6.8"/>`;
    case "detects":
      return `<path d="M${x} ${y - 4.4}l4.4 7.6h-8.8z"/>`;
    default:
      return `<path d="M${x - 4} ${y - 3}h8v5h-5l-3 2.4z"/>`;
  }
}

function drawArrows(run, view, place, top, bottom) {
  const ground = new Map(place.lanes.map((one) => [one.lane.at, one]));
  const parts = [];
  const drawn = new Set();
  const first = firstIndex(run.arrows, (arrow) => arrow.time >= view.from);
  const last = firstIndex(run.arrows, (arrow) => arrow.time > view.to);
  // A crowd of messages is a tint of the ground, not a wall of lines.
  const crowd = (last - first) / Math.max(place.lanes.length, 1) > place.pixels / 24;
  const apart = crowd ? 6 : 2;
  for (let at = first; at < last; at += 1) {
    const arrow = run.arrows[at];
    const from = ground.get(arrow.lane);
    const to = ground.get(arrow.to);
    if (!from || !to || from === to) continue;
    const x = place.x(arrow.time);
    const down = to.top > from.top;
    const start = down ? from.top + from.height : from.top;
    const end = down ? to.top - 2 : to.top + to.height + 2;
    if (Math.max(start, end) < top || Math.min(start, end) > bottom) continue;
    const key = Math.round(x / apart) + " " + arrow.lane + " " + arrow.to;
    if (drawn.has(key)) continue;
    drawn.add(key);
    const bend = Math.min(Math.abs(end - start) / 4, 14);
    const path = `M${x} ${start}C${x + bend} ${(2 * start + end) / 3} ${x + bend} ${(start + 2 * end) / 3} ${x} ${end}`;
    const cause = (arrow.cause ? " cause" : "") + (crowd ? " crowd" : "");
    parts.push(
      `<g class="arrow${cause}" data-entry="${arrow.at}"><path class="wide" d="${path}"/><path class="line" d="${path}"/>` +
        `<path class="head" d="M${x} ${end}l-4 ${down ? -7 : 7}h8z"/><circle cx="${x}" cy="${start}" r="2.4"/></g>`,
    );
  }
  return parts.join("");
}

// The claim's atoms as strips, and its deadline.
function drawStrips(run, view, place) {
  const parts = [];
  const edge = place.width - 14;
  run.strips.forEach((strip, at) => {
    const y = 4 + at * STRIP;
    parts.push(`<g class="strip" data-strip="${at}">${drawLabel(strip.atom, y)}`);
    parts.push(`<path class="base" d="M${GUTTER} ${y + 20}H${edge}"/>`);
    let taken = -1;
    for (const [start, end] of strip.holds) {
      if (end < view.from || start > view.to) continue;
      const left = Math.max(place.x(start), GUTTER);
      const right = Math.min(place.x(end), edge);
      if (right - taken < 1) continue;
      taken = right;
      parts.push(`<rect class="holds" x="${left}" y="${y + 6}" width="${Math.max(right - left, 3)}" height="14"/>`);
      const label = fitted("holds", right - left);
      if (label) parts.push(`<text class="small holds" x="${left + 4}" y="${y + 16.5}">${label}</text>`);
    }
    parts.push("</g>");
  });
  if (run.deadline) parts.push(drawDeadline(run, place, 4 + run.strips.length * STRIP, edge));
  return parts.join("");
}

// A long label on two lines, broken at a space where there is one.
function drawLabel(label, y) {
  const letters = Math.floor((GUTTER - 16) / (letter.width * 0.94));
  if (label.length <= letters) return `<text class="small" x="10" y="${y + 17}">${text(label)}</text>`;
  const space = label.lastIndexOf(" ", letters);
  const cut = space > letters / 2 ? space : letters;
  const rest = label.slice(cut).trim();
  const second = rest.length <= letters ? rest : rest.slice(0, letters - 1) + "…";
  return `<text class="small" x="10" y="${y + 11}">${text(label.slice(0, cut))}</text><text class="small" x="10" y="${y + 23}">${text(second)}</text>`;
}

function drawDeadline(run, place, top, edge) {
  const { start, due, answer, missed } = run.deadline;
  const y = top + 12;
  const clamp = (at) => Math.min(Math.max(at, GUTTER), edge);
  const inside = (at) => at >= GUTTER - 0.5 && at <= edge + 0.5;
  const from = place.x(start);
  const to = place.x(due);
  const reached = place.x(answer === null ? Math.max(run.end, due) : answer);
  const parts = [`<g class="deadline ${missed ? "missed" : "kept"}"><text class="small" x="10" y="${y + 4}">deadline</text>`];
  parts.push(`<path class="allowed" d="M${clamp(from)} ${y}H${clamp(to)}"/>`);
  const label = durationText(due - start, run.unit) + " allowed";
  if (clamp(to) - clamp(from) > label.length * letter.width + 30) {
    const middle = (clamp(from) + clamp(to)) / 2;
    const half = (label.length * letter.width) / 2 + 4;
    parts.push(`<rect class="back" x="${middle - half}" y="${y - 8}" width="${2 * half}" height="16"/>`);
    parts.push(`<text class="small" x="${middle}" y="${y + 4}" text-anchor="middle">${text(label)}</text>`);
  }
  if (missed && clamp(reached) > clamp(to)) {
    parts.push(`<path class="over" d="M${clamp(to)} ${y}H${clamp(reached) - 5}"/>`);
    if (inside(reached)) parts.push(`<path class="head" d="M${reached} ${y}l-7 -4v8z"/>`);
  }
  if (inside(from)) parts.push(`<circle class="start" cx="${from}" cy="${y}" r="5"/>`);
  if (inside(to)) {
    parts.push(missed ? `<path class="cross" d="M${to - 5} ${y - 5}l10 10M${to + 5} ${y - 5}l-10 10"/>` : `<path class="cross" d="M${to} ${y - 6}v12"/>`);
  }
  if (!missed && answer !== null && inside(reached)) parts.push(`<rect class="start" x="${reached - 4}" y="${y - 4}" width="8" height="8"/>`);
  const times = [[from, start], [to, due]];
  if (answer !== null) times.push([reached, answer]);
  let free = -Infinity;
  for (const [at, time] of times.sort((a, b) => a[0] - b[0])) {
    const label = instantText(time, run.unit);
    const x = Math.min(Math.max(at, GUTTER + 24), edge - 24);
    if (!inside(at) || x - 26 < free) continue;
    free = x + 30;
    parts.push(`<text class="small" x="${x}" y="${y + 18}" text-anchor="middle">${text(label)}</text>`);
  }
  parts.push("</g>");
  return parts.join("");
}

// The hatching of work at an impasse.
const HATCH =
  '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6"/></pattern></defs>';
