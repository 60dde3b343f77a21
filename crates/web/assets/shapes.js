// What a chart shows at a cycle. Skills tell changes; shapes stay until they are replaced or gone. Every so often the whole is
// kept, so that going back to a cycle replays a few changes and not all.

const KEEP_EVERY = 64;
const LOOKS = ["plain", "border", "planned", "active", "done", "good", "warning", "bad", "quiet", "vessel"];
const lookOf = (value) => (LOOKS.includes(value) ? value : "plain");

class Drawing {
  constructor() {
    this.view = null;
    this.unit = "";
    this.steps = [];  // changes by frame
    this.kept = [];   // whole drawings, every KEEP_EVERY frames
    this.trails = new Map();
    this.now = { shapes: new Map(), cells: new Map() };
    this.asked = { at: -1, drawing: null };
  }

  get empty() { return this.view === null && this.now.shapes.size === 0; }

  draw(chart, at) {
    const view = list(chart.view).map(number);
    if (view.length === 4 && view.every((part) => part !== null) && view[2] > view[0] && view[3] > view[1]) this.view = view;
    if (chart.unit !== undefined) this.unit = shorten(chart.unit, 12);
    const shapes = list(chart.shapes).slice(0, LIMITS.shapes).map((shape) => this.read(record(shape), at)).filter(Boolean);
    (this.steps[at] ??= []).push(...shapes);
    shapes.forEach((shape) => Drawing.apply(this.now, shape));
  }

  close(at) {
    if (at % KEEP_EVERY === 0) this.kept[at / KEEP_EVERY] = Drawing.copy(this.now);
  }

  // A shape with nothing in it but what is drawn. `null` for what is none.
  read(shape, at) {
    if (typeof shape.id !== "string") return null;
    const id = shorten(shape.id, 120);
    if (shape.gone) return { id, gone: true };
    const many = (value) => list(value).slice(0, LIMITS.points).map(pairOf).filter(Boolean);
    const read = { id, look: lookOf(shape.look), text: shape.text === undefined ? "" : shorten(shape.text, 80), heading: number(shape.heading) };
    const point = pairOf(shape.point);
    if (point) {
      if (shape.trail === true) this.follow(id, [...many(shape.path), point].map((place) => [at, place]));
      return { ...read, kind: "points", points: [point] };
    }
    if (shape.points) return { ...read, kind: "points", points: many(shape.points) };
    if (shape.polyline) return { ...read, kind: "polyline", points: many(shape.polyline), arrow: shape.arrow === true };
    if (shape.polygon) return { ...read, kind: "polygon", points: many(shape.polygon) };
    if (shape.label && pairOf(shape.label)) return { ...read, kind: "label", points: [pairOf(shape.label)] };
    if (shape.cells) return this.readCells(read, record(shape.cells), record(shape.set));
    return null;
  }

  readCells(read, grid, set) {
    const columns = number(grid.columns), rows = number(grid.rows), at = pairOf(grid.at), size = pairOf(grid.size);
    if (!at || !size || !Number.isInteger(columns) || !Number.isInteger(rows) || columns < 1 || rows < 1 || columns * rows > LIMITS.cells) return null;
    const changes = [];
    for (const [look, cells] of Object.entries(set)) {
      for (const cell of list(cells)) if (Number.isInteger(cell) && cell >= 0 && cell < columns * rows) changes.push([cell, LOOKS.indexOf(lookOf(look))]);
    }
    return { ...read, kind: "cells", at, size, columns, rows, changes };
  }

  follow(id, points) {
    const trail = this.trails.get(id) ?? [];
    trail.push(...points);
    this.trails.set(id, trail.length > LIMITS.trail ? trail.filter((_, place) => place % 2 === 0) : trail);
  }

  static apply(drawing, shape) {
    if (shape.gone) {
      drawing.shapes.delete(shape.id);
      drawing.cells.delete(shape.id);
      return;
    }
    if (!drawing.shapes.has(shape.id) && drawing.shapes.size >= LIMITS.shapes) return;
    drawing.shapes.set(shape.id, shape);
    if (shape.kind !== "cells") return;
    let cells = drawing.cells.get(shape.id);
    if (!cells || cells.length !== shape.columns * shape.rows) {
      cells = new Uint8Array(shape.columns * shape.rows).fill(255);
      drawing.cells.set(shape.id, cells);
    }
    for (const [cell, look] of shape.changes) cells[cell] = look;
  }

  static copy(drawing) {
    return { shapes: new Map(drawing.shapes), cells: new Map([...drawing.cells].map(([id, cells]) => [id, cells.slice()])) };
  }

  // The drawing after a frame.
  at(frame) {
    let { at, drawing } = this.asked;
    if (!drawing || at > frame || frame - at > KEEP_EVERY) {
      const place = Math.floor(frame / KEEP_EVERY);
      const kept = this.kept[place];
      drawing = kept ? Drawing.copy(kept) : { shapes: new Map(), cells: new Map() };
      at = kept ? place * KEEP_EVERY : -1;
    }
    for (let step = at + 1; step <= frame; step += 1) (this.steps[step] ?? []).forEach((shape) => Drawing.apply(drawing, shape));
    this.asked = { at: frame, drawing };
    return drawing;
  }
}
