// Small multiples over the cycles: a row for each belief and each plan, and sparklines of figures.

class Strips {
  constructor(element) { this.element = element; }

  render(story, cursor) {
    const rows = [...story.rows.values()].sort((a, b) => Number(b.beliefs) - Number(a.beliefs) || a.spans[0].from - b.spans[0].from || a.name.localeCompare(b.name, undefined, { numeric: true }));
    const plans = rows.filter((row) => !row.beliefs).sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    const ordered = [...rows.filter((row) => row.beliefs), ...plans];
    const width = Math.max(280, this.element.clientWidth - 2), gutter = Math.min(220, width * 0.36), room = width - gutter - 10;
    const high = 15, n = Math.max(20, story.frames.length);
    const x = (frame) => fixed(gutter + (room * Math.max(0, frame)) / n);
    const svg = make("svg", { height: ordered.length * high + 18, viewBox: `0 0 ${width} ${ordered.length * high + 18}`, role: "img", "aria-label": "beliefs and plans over the cycles" });
    ordered.forEach((row, place) => svg.append(...this.row(row, place * high, high, x, gutter, room)));
    this.axis(svg, story, n, x, ordered.length * high);
    svg.append(make("line", { class: "cursor", x1: x(cursor + 1), x2: x(cursor + 1), y1: 0, y2: ordered.length * high + 4 }));
    this.element.replaceChildren(svg);
    this.x = { gutter, room, n };
  }

  row(row, y, high, x, gutter, room) {
    const name = make("text", { x: gutter - 8, y: y + high - 4, "text-anchor": "end" });
    name.textContent = shorten(row.name, Math.max(8, Math.floor(gutter / 6.2)));
    const title = make("title");
    title.textContent = row.name;
    name.append(title);
    const lane = make("rect", { class: "lane", x: gutter, y: y + 2, width: fixed(room), height: high - 4, rx: 2 });
    const spans = row.spans.filter((span) => span.to > 0).slice(-3000).map((span) => {
      const tall = (high - 4) * Math.max(0.2, span.level);
      const bar = make("rect", { class: row.beliefs ? "held" : "step", x: x(span.from), width: fixed(Math.max(1, x(span.to) - x(span.from))), y: fixed(y + high - 2 - tall), height: fixed(tall) });
      const tip = make("title");
      tip.textContent = span.text;
      bar.append(tip);
      return bar;
    });
    return [lane, name, ...spans];
  }

  axis(svg, story, n, x, y) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((step) => n / step <= 12) ?? 10000;
    const first = story.frames[0]?.cycle ?? 1;
    for (let at = step - 1; at < n; at += step) {
      svg.append(make("line", { class: "mark", x1: x(at + 1), x2: x(at + 1), y1: 0, y2: y + 3 }));
      const text = make("text", { class: "quiet", x: x(at + 1), y: y + 14, "text-anchor": "middle" });
      text.textContent = first + at;
      svg.append(text);
    }
  }

  // The frame at a place of the pointer.
  frameAt(clientX) {
    if (!this.x) return null;
    const svg = this.element.firstElementChild.getBoundingClientRect();
    const at = Math.floor(((clientX - svg.left - this.x.gutter) / this.x.room) * this.x.n);
    return at >= 0 ? at : null;
  }
}

// A tile: the value now, and how it came to it.
function figure(series, cursor, n) {
  let value = null;
  for (let at = Math.min(cursor, series.values.length - 1); at >= 0 && value === null; at -= 1) value = series.values[at] ?? null;
  const known = series.values.slice(0, cursor + 1).filter((one) => one !== null && one !== undefined);
  const least = Math.min(series.least ?? Infinity, ...known.slice(-2000), series.limit ?? Infinity);
  const most = Math.max(series.most ?? -Infinity, ...known.slice(-2000), series.limit ?? -Infinity);
  const y = (one) => fixed(20 - (18 * (one - least)) / (most - least || 1));
  const over = series.limit !== null && value !== null && value >= series.limit;
  const svg = make("svg", { viewBox: "0 0 100 22", preserveAspectRatio: "none", "aria-hidden": "true" });
  if (series.limit !== null) svg.append(make("line", { class: "limit", x1: 0, x2: 100, y1: y(series.limit), y2: y(series.limit) }));
  let way = "";
  series.values.slice(0, cursor + 1).forEach((one, at) => { if (one !== null && one !== undefined) way += `${way ? "L" : "M"}${fixed((100 * at) / Math.max(20, n))} ${y(one)}`; });
  svg.append(make("path", { class: "spark", d: way }));
  const shown = value === null ? "–" : Math.abs(value) >= 100 ? value.toFixed(0) : String(Math.round(value * 100) / 100);
  return html("div", over ? "figure over" : "figure", html("div", "name", series.name), html("div", "value", shown, html("small", "", series.unit ? ` ${series.unit}` : "")), svg);
}
