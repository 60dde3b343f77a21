"use strict";

// The panel beside the chart, as strings of HTML: what changes at the cursor, who believes what, a selected bar.

const SORTS = {
  frame: "frame",
  primitive: "activity",
  move: "move",
  communicate: "message",
  composite: "composite activity",
  handle: "taking or putting down",
  create: "creation",
  foreign: "foreign activity",
};

const ENDINGS = {
  done: "done",
  aborted: "✗ aborted",
  completed: "» cut short",
  interrupted: "‖ interrupted, not resumed",
  impassed: "⊘ at an impasse, not resumed",
};

// Everything that happens at an instant. Long instants are cut; the button shows the rest.
function changesHtml(run, time, whole) {
  const entries = entriesAt(run, time);
  if (!entries.length) return `<p class="quiet">Nothing changes at this instant.</p>`;
  const limit = whole ? entries.length : 60;
  const rows = entries.slice(0, limit).map((entry) => {
    const [verb, about] = phrase(run, entry);
    const mark = entry.cause ? `<span class="dot" title="changes the claim">●</span>` : "";
    const origin = entry.origin ? ` <span class="quiet">${text(entry.origin)}</span>` : "";
    return (
      `<li class="${entry.kind}${entry.cause ? " cause" : ""}"><button data-go="${entry.lane}" class="who">${text(run.lanes[entry.lane].name)}</button> ` +
      `<span>${mark}${text(verb)} <span class="value">${text(about)}</span>${origin}</span></li>`
    );
  });
  const more = entries.length - limit;
  const rest = more > 0 ? `<button data-whole="1">${more} more</button>` : "";
  return `<ol class="changes">${rows.join("")}</ol>${rest}`;
}

// Facts and beliefs at a time: those that changed just now or differ, or all of them.
function worldHtml(run, time, all) {
  const world = worldAt(run, time);
  const telling = (one) => one.fresh || one.beliefs.some((belief) => belief.differs || belief.fresh);
  const shown = all ? world : world.filter(telling);
  if (!shown.length) return `<p class="quiet">No belief differs from a fact, and nothing changed just now.</p>`;
  const rows = shown.map((one) => {
    const beliefs = one.beliefs.map((belief) => {
      const state = (belief.differs ? " differs" : "") + (belief.fresh ? " fresh" : "");
      const mark = belief.differs ? `<b title="differs from the fact">!</b> ` : "";
      return `<span class="belief${state}">${mark}${text(run.lanes[belief.lane].name)}: ${text(belief.value)}</span>`;
    });
    const fact = UNKNOWN.has(one.fact) ? `<span class="quiet">-</span>` : text(one.fact);
    return `<tr><th scope="row">${text(one.subject).replace(/[.]/g, ".<wbr>")}</th><td class="fact${one.fresh ? " fresh" : ""}">${fact}</td><td>${beliefs.join(" ")}</td></tr>`;
  });
  return `<table><thead><tr><th scope="col">what</th><th scope="col">fact</th><th scope="col">beliefs</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

// A bar in words, for the tooltip and the panel.
function barHtml(run, bar) {
  const unit = run.unit;
  const lines = [];
  const time = durationText(bar.end - bar.start, unit);
  lines.push(`${instantText(bar.start, unit)} to ${instantText(bar.end, unit)} (${time})`);
  if (bar.length !== null) lines.push("planned: " + durationText(bar.length, unit));
  if (bar.priority !== null) lines.push("priority " + bar.priority);
  if (bar.detail) lines.push(bar.detail);
  for (const gap of bar.breaks) {
    const sign = gap.why === "impassed" ? "⊘" : "‖";
    lines.push(`${sign} ${gap.why} ${instantText(gap.start, unit)} to ${instantText(gap.end, unit)}`);
  }
  lines.push(bar.ending === null ? "goes on at the end of the run" : ENDINGS[bar.ending]);
  if (bar.origin) lines.push(bar.origin);
  const guard = bar.guard.length ? `<p class="quiet">Conditions</p><ul>${bar.guard.map((line) => `<li>${text(line)}</li>`).join("")}</ul>` : "";
  const moment = entriesAt(run, bar.start).filter((entry) => entry.lane === bar.lane && (entry.kind === "believes" || entry.kind === "makes"));
  const changed = moment.slice(0, 8).map((entry) => `<li>${text(phrase(run, entry).join(" "))}</li>`);
  const changes = changed.length ? `<p class="quiet">Changed at that moment</p><ul>${changed.join("")}</ul>` : "";
  return (
    `<p><b>${text(bar.name)}</b> <span class="quiet">${SORTS[bar.work]} of ${text(run.lanes[bar.lane].name)}</span></p>` +
    `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join("")}</ul>${guard}${changes}`
  );
}

function entryHtml(run, entry) {
  const same = run.lanes[entry.lane].marks.filter((mark) => mark.time === entry.time && entry.kind !== "tells");
  const shown = (same.length ? same : [entry]).slice(0, 10);
  const lines = shown.map((mark) => `<li>${mark.cause ? "● " : ""}${text(phrase(run, mark).join(" "))}</li>`);
  return `<p><b>${text(run.lanes[entry.lane].name)}</b> <span class="quiet">at ${instantText(entry.time, run.unit)}</span></p><ul>${lines.join("")}</ul>`;
}
