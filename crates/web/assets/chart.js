// Draws a drawing. North is up: the chart's second coordinate grows upwards, headings are degrees clockwise from there.

const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const html = (name, kind, ...children) => {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...children);
  return element;
};
const fixed = (value) => Math.round(value * 100) / 100;

class Chart {
  constructor(svg) { this.svg = svg; }

  render(drawing, story, frame) {
    const view = this.fitted(story.drawing.view ?? this.bounds(drawing));
    const [left, bottom, right, top] = view;
    const width = right - left, height = top - bottom;
    this.height = bottom + top;
    // Signs and texts are as large on every chart: about five pixels are one size.
    this.size = (4.8 * width) / Math.max(200, this.svg.clientWidth);
    this.svg.setAttribute("viewBox", `${fixed(left)} ${fixed(bottom)} ${fixed(width)} ${fixed(height)}`);
    const layers = { cells: [], areas: [], lines: [], trails: [], points: [], texts: [] };
    for (const shape of drawing.shapes.values()) this.shape(shape, drawing, layers);
    for (const [id, trail] of story.drawing.trails) if (drawing.shapes.has(id)) layers.trails.push(this.trail(trail, frame));
    this.svg.replaceChildren(this.grid(view, story.drawing.unit), ...layers.areas, ...layers.cells, ...layers.lines, ...layers.trails, ...layers.points, ...layers.texts);
  }

  bounds(drawing) {
    const all = [...drawing.shapes.values()].flatMap((shape) => shape.points ?? []);
    if (!all.length) return [0, 0, 100, 100];
    const xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
    const room = Math.max(1, (Math.max(...xs) - Math.min(...xs)) * 0.1, (Math.max(...ys) - Math.min(...ys)) * 0.1);
    return [Math.min(...xs) - room, Math.min(...ys) - room, Math.max(...xs) + room, Math.max(...ys) + room];
  }

  // More water to the sides or above and below, so that the chart fills its panel.
  fitted([left, bottom, right, top]) {
    const wide = this.svg.clientWidth || 800, high = this.svg.clientHeight || 500;
    const width = Math.max(right - left, ((top - bottom) * wide) / high), height = (width * high) / wide;
    const x = (left + right) / 2, y = (bottom + top) / 2;
    return [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  }

  // The screen's second coordinate grows downwards; the view's box stays where it is.
  y(value) { return fixed(this.height - value); }
  way(points) { return points.map(([x, y], place) => `${place ? "L" : "M"}${fixed(x)} ${this.y(y)}`).join(""); }

  grid([left, bottom, right, top], unit) {
    const across = right - left;
    const power = 10 ** Math.floor(Math.log10(across / 4));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => across / step <= 7) ?? across;
    const group = make("g", { class: "grid" });
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) group.append(make("line", { x1: fixed(x), x2: fixed(x), y1: bottom, y2: top }));
    for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) group.append(make("line", { y1: this.y(y), y2: this.y(y), x1: left, x2: right }));
    const x = left + this.size * 2, y = top - this.size * 3;
    const scale = make("g", { class: "scale" },
      make("path", { d: `M${fixed(x)} ${fixed(y - this.size)}v${fixed(this.size)}h${fixed(step)}v${fixed(-this.size)}` }),
      this.text(x + step + this.size, y, `${step} ${unit}`, ""));
    group.append(scale);
    return group;
  }

  text(x, y, words, kind) {
    const text = make("text", { x: fixed(x), y: fixed(y), "font-size": fixed(this.size * 2.3), class: kind });
    text.textContent = words;
    return text;
  }

  trail(trail, frame) {
    const points = trail.filter(([at]) => at <= frame).map(([, point]) => point);
    return make("path", { class: "trail", d: this.way(points) });
  }

  shape(shape, drawing, layers) {
    const { size } = this;
    const label = (point, away) => { if (shape.text) layers.texts.push(this.text(point[0] + away, this.height - point[1] - away * 0.6, shape.text, shape.look)); };
    if (shape.kind === "cells") layers.cells.push(...this.cells(shape, drawing.cells.get(shape.id)));
    else if (shape.kind === "label") label(shape.points[0], 0);
    else if (shape.kind === "polygon" && shape.points.length > 1) {
      layers.areas.push(make("path", { class: `look ${shape.look}`, d: this.way(shape.points) + "Z" }));
      label(shape.points[0], size);
    } else if (shape.kind === "polyline" && shape.points.length > 1) {
      layers.lines.push(make("path", { class: `look ${shape.look}`, d: this.way(shape.points) + (shape.arrow ? this.head(shape.points) : "") }));
      if (shape.arrow) {
        const [x, y] = this.middle(shape.points);
        const text = this.text(x, this.height - y + size * 6, shape.text, shape.look);
        text.setAttribute("text-anchor", "middle");
        if (shape.text) layers.texts.push(text);
      } else label(shape.points.at(-1), size);
    } else if (shape.kind === "points") {
      for (const point of shape.points) layers.points.push(this.point(point, shape));
      if (shape.points.length === 1) label(shape.points[0], size * 1.8);
    }
  }

  middle(points) {
    const [x, y] = points[0], [z, w] = points.at(-1);
    return [(x + z) / 2, (y + w) / 2];
  }

  head(points) {
    const [[x, y], [z, w]] = points.slice(-2);
    const angle = Math.atan2(w - y, z - x);
    const wing = (turn) => [z - this.size * 2.4 * Math.cos(angle + turn), w - this.size * 2.4 * Math.sin(angle + turn)];
    return this.way([wing(0.45), [z, w], wing(-0.45)]);
  }

  point([x, y], shape) {
    const { size } = this;
    if (shape.heading === null) {
      const hollow = shape.look === "active";
      return make("circle", { class: `dot ${shape.look}`, cx: fixed(x), cy: this.y(y), r: fixed(hollow ? size * 1.5 : size * 0.7) });
    }
    // A hull from above: bow ahead, transom aft.
    const s = size * 1.1;
    const hull = `M0 ${-2.6 * s}C${1.3 * s} ${-1.2 * s} ${1.3 * s} ${0.8 * s} ${0.9 * s} ${2.1 * s}L${-0.9 * s} ${2.1 * s}C${-1.3 * s} ${0.8 * s} ${-1.3 * s} ${-1.2 * s} 0 ${-2.6 * s}Z`;
    return make("path", { class: `look ${shape.look}`, d: hull, transform: `translate(${fixed(x)} ${this.y(y)}) rotate(${shape.heading})`, "data-shape": shape.id });
  }

  // One way for each look; neighbours in a row are drawn as one.
  cells(shape, cells) {
    const ways = new Map();
    const [width, height] = shape.size;
    for (let from = 0, to = 1; cells && from < cells.length; from = to, to = from + 1) {
      const look = cells[from], column = from % shape.columns;
      while (to - from + column < shape.columns && cells[to] === look) to += 1;
      if (look >= LOOKS.length) continue;
      const x = shape.at[0] + column * width, y = shape.at[1] + (Math.floor(from / shape.columns) + 1) * height;
      const wide = fixed((to - from) * width);
      ways.set(look, (ways.get(look) ?? "") + `M${fixed(x)} ${this.y(y)}h${wide}v${fixed(height)}h${-wide}z`);
    }
    return [...ways].map(([look, d]) => make("path", { class: `cell ${LOOKS[look]}`, d }));
  }
}
