// What stands beside the chart: minds now, decisions, claims, the log.

const NOTHING = (words) => html("p", "quiet", words);

function mindNow(story, cursor) {
  const minds = list(cursor >= 0 ? story.frames[cursor]?.minds : story.head?.minds).map(record);
  const before = list(cursor > 0 ? story.frames[cursor - 1]?.minds : story.head?.minds).map(record);
  const out = [];
  for (const mind of minds.slice(0, 12)) {
    if (minds.length > 1) out.push(html("p", "agent", shorten(mind.agent, 60)));
    const old = before.find((one) => one.agent === mind.agent);
    for (const section of list(mind.sections).map(record)) {
      const items = list(section.items).map((item) => shorten(item));
      if (section.title === "beliefs") {
        const was = new Set(list(list(old?.sections).find((one) => record(one).title === "beliefs")?.items).map((item) => shorten(item)));
        const chips = items.slice(0, 120).map((item) => html("li", was.has(item) ? "" : "fresh", item));
        out.push(chips.length ? html("ul", "chips", ...chips) : NOTHING("believes nothing"));
      } else if (items.length && section.title !== "events") {
        out.push(html("p", "section", shorten(section.title, 40)), html("ul", "rows", ...items.slice(0, 60).map(soFar)));
      }
    }
  }
  return out.length ? out : [NOTHING("nobody has anything in mind yet")];
}

// "plan 4: Hold position (2 of 3)" with a meter before it.
function soFar(text) {
  const parts = /^(.*) \((\d+) of (\d+)\)$/.exec(text);
  if (!parts || Number(parts[3]) > 24) return html("li", "", text);
  const meter = html("span", "meter");
  for (let at = 1; at <= Number(parts[3]); at += 1) meter.append(html("i", at <= Number(parts[2]) ? "on" : ""));
  return html("li", "", meter, parts[1]);
}

function decisions(story, cursor) {
  const found = [];
  for (let at = cursor; at >= 0 && found.length < 8; at -= 1) if (story.frames[at].decision) found.push(story.frames[at].decision);
  if (!found.length) return [NOTHING("none so far")];
  return found.map((decision) => {
    const rows = decision.alternatives.map((one, place) => {
      const values = one.values.map(({ query, value }) => html("div", "", `${query} ${value}`, bar(value)));
      return html("tr", place === decision.choice ? "chosen" : "", html("th", "", one.text || "nothing"), html("td", "", html("div", "values", ...values)));
    });
    const words = `cycle ${decision.cycle}` + (decision.reason ? `: ${decision.reason}` : "");
    return html("div", "decision", html("p", "quiet", words), html("table", "", ...rows));
  });
}

// A probability as a bar; other numbers have none.
function bar(value) {
  const chance = Number(value);
  if (!(chance >= 0 && chance <= 1)) return "";
  const line = html("span", "bar");
  line.style.width = `${Math.round(chance * 100)}%`;
  return line;
}

function claims(story, cursor) {
  if (story.end && story.standings && cursor >= story.frames.length - 1) {
    const ordered = [...story.standings].sort((a, b) => Number(b.alarm) - Number(a.alarm));
    return ordered.slice(0, 200).map(({ name, text, alarm, cycle }) => {
      const sign = alarm ? "✗" : text.startsWith("true") ? "✓" : "·";
      const kind = alarm ? "claim bad" : sign === "✓" ? "claim good" : "claim";
      return html("div", kind, html("span", "sign", sign), html("span", "what", `${name}: ${text}${cycle ? ` in cycle ${cycle}` : ""}`));
    });
  }
  const told = story.claims.filter((claim) => claim.at <= cursor).slice(-40);
  if (!told.length) return [NOTHING("none decided so far")];
  return told.map((claim) => html("div", "claim", html("span", "sign", "·"), html("span", "what", claim.text)));
}

const LOG_LINES = 300;

function logLines(story, cursor) {
  const lines = [];
  for (let at = cursor; at >= 0 && lines.length < LOG_LINES; at -= 1) lines.unshift(...story.frames[at].log);
  return lines.slice(-LOG_LINES).map((line) =>
    html("li", line.kind, html("span", "cycle", String(line.cycle)), html("span", "sign", line.sign), html("span", "", line.text)));
}
