"use strict";

// The page: one cursor, one window, one selection; everything shown follows from them.

(function start() {
  const run = prepared(JSON.parse(document.getElementById("chronicle").textContent));
  const element = (id) => document.getElementById(id);
  const claimLanes = namedLanes(run);
  const state = {
    view: { ...run.limits },
    cursor: run.deadline ? run.deadline.start : 0,
    lane: claimLanes.length ? claimLanes[0] : 0,
    bar: null,
    chosen: new Set(run.lanes.filter((lane) => lane.bars.length || lane.marks.length || lane.stays.length > 1).map((lane) => lane.at)),
    places: true,
    marks: true,
    arrows: true,
    whole: false,
    all: false,
  };
  if (!state.chosen.size) run.lanes.forEach((lane) => state.chosen.add(lane.at));
  const pen = document.createElement("canvas").getContext("2d");
  if (pen) {
    pen.font = '11px system-ui, "DejaVu Sans", sans-serif';
    letter.width = pen.measureText("wf_attendTheNextPatientOfWard4").width / 30;
  }
  const least = run.unit === "milliseconds" ? 2 * SECOND : 2;
  let place = null;
  let waiting = false;

  function draw() {
    waiting = false;
    const scroll = element("lanes");
    const width = element("chart").clientWidth;
    place = layout(run, state.chosen, state.view, width, state);
    const wrong = new Map();
    for (const one of worldAt(run, state.cursor)) {
      for (const belief of one.beliefs) if (belief.differs) wrong.set(belief.lane, (wrong.get(belief.lane) || 0) + 1);
    }
    const top = scroll.scrollTop;
    const bottom = top + scroll.clientHeight;
    const lanes = element("lanes-svg");
    lanes.setAttribute("height", Math.max(place.height, 40));
    lanes.setAttribute("width", width);
    lanes.innerHTML = HATCH + drawLanes(run, state.view, place, top - 40, bottom + 40, { ...state, wrong }) + cursorLine(top, Math.max(bottom, place.height));
    const axis = element("axis");
    axis.setAttribute("width", width);
    axis.innerHTML = drawAxis(run, state.view, place) + cursorHead();
    const strips = element("strips");
    const rows = run.strips.length * STRIP + (run.deadline ? 40 : 0);
    strips.setAttribute("width", width);
    strips.setAttribute("height", rows ? rows + 6 : 0);
    strips.innerHTML = rows ? drawStrips(run, state.view, place) + cursorLine(0, rows + 6) : "";
    panel();
  }

  function cursorLine(top, bottom) {
    const x = place.x(state.cursor);
    return x < GUTTER - 1 || x > place.width ? "" : `<path class="cursor" d="M${x} ${top}V${bottom}"/>`;
  }

  function cursorHead() {
    const x = place.x(state.cursor);
    return x < GUTTER - 1 || x > place.width ? "" : `<path class="cursor-head" d="M${x - 5} ${AXIS - 7}h10l-5 7z"/>`;
  }

  function panel() {
    const at = instantText(state.cursor, run.unit);
    const step = Math.max(firstIndex(run.times, (time) => time > state.cursor) - 1, 0);
    element("now").textContent = `At ${at}`;
    element("step").textContent = run.steps ? `step ${step} of ${run.steps}` : "";
    element("changes").innerHTML = changesHtml(run, state.cursor, state.whole);
    element("world").innerHTML = worldHtml(run, state.cursor, state.all);
    element("selected").innerHTML = state.bar ? barHtml(run, state.bar) : `<p class="quiet">Click a bar, or press n and p in the chart.</p>`;
    element("all").setAttribute("aria-pressed", String(state.all));
    const address = `#t=${Math.round(state.cursor)}&from=${Math.round(state.view.from)}&to=${Math.round(state.view.to)}`;
    try {
      history.replaceState(null, "", address);
    } catch {
      // Some hosts of local files allow no addresses; the page works without.
    }
  }

  // Many changes, one drawing. A timer and not a frame of the screen, so that a page nobody looks at is drawn too.
  function later() {
    if (!waiting) {
      waiting = true;
      setTimeout(draw, 12);
    }
  }

  function put(changes) {
    Object.assign(state, changes);
    later();
  }

  function goTo(time) {
    const clamped = Math.min(Math.max(time, 0), run.limits.to);
    put({ cursor: clamped, view: showing(state.view, clamped, run.limits), whole: false });
    const notes = entriesAt(run, clamped).slice(0, 3).map((entry) => run.lanes[entry.lane].name + " " + phrase(run, entry).join(" "));
    element("live").textContent = `${instantText(clamped, run.unit)}. ${notes.join(". ")}`;
  }

  function step(direction) {
    goTo(neighbour(run.instants, state.cursor, direction));
  }

  function cause(direction) {
    const times = run.entries.filter((entry) => entry.cause).map((entry) => entry.time);
    if (run.deadline) times.push(run.deadline.start, run.deadline.due);
    const sorted = [...new Set(times)].sort((a, b) => a - b);
    goTo(neighbour(sorted, state.cursor, direction));
  }

  function zoom(factor, anchor) {
    const middle = (state.view.from + state.view.to) / 2;
    const inside = state.cursor >= state.view.from && state.cursor <= state.view.to;
    const fixed = anchor === undefined ? (inside ? state.cursor : middle) : anchor;
    put({ view: zoomed(state.view, factor, fixed, run.limits, least) });
  }

  function pan(share) {
    put({ view: panned(state.view, (state.view.to - state.view.from) * share, run.limits) });
  }

  function moveLane(direction) {
    const order = place.lanes.map((one) => one.lane.at);
    const at = order.indexOf(state.lane);
    const next = order[Math.min(Math.max(at + direction, 0), order.length - 1)];
    if (next === undefined) return;
    put({ lane: next, bar: null });
    const one = place.lanes.find((each) => each.lane.at === next);
    const scroll = element("lanes");
    if (one.top < scroll.scrollTop) scroll.scrollTop = one.top - 6;
    else if (one.top + one.height > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = one.top + one.height - scroll.clientHeight + 6;
    element("live").textContent = run.lanes[next].name;
  }

  function moveBar(direction) {
    const { bars } = run.lanes[state.lane];
    if (!bars.length) return;
    let at = state.bar && state.bar.lane === state.lane ? state.bar.at + direction : firstIndex(bars, (bar) => bar.start >= state.cursor);
    at = Math.min(Math.max(at, 0), bars.length - 1);
    state.bar = bars[at];
    goTo(bars[at].start);
    element("live").textContent = element("selected").textContent;
  }

  function theme() {
    const dark = document.documentElement.dataset.theme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  }

  const keys = {
    ArrowLeft: (event) => (event.shiftKey ? pan(-0.2) : step(-1)),
    ArrowRight: (event) => (event.shiftKey ? pan(0.2) : step(1)),
    ArrowUp: () => moveLane(-1),
    ArrowDown: () => moveLane(1),
    Home: () => goTo(0),
    End: () => goTo(run.end),
    "+": () => zoom(0.6),
    "=": () => zoom(0.6),
    "-": () => zoom(1 / 0.6),
    0: () => put({ view: { ...run.limits } }),
    j: () => step(1),
    k: () => step(-1),
    J: () => cause(1),
    K: () => cause(-1),
    n: () => moveBar(1),
    p: () => moveBar(-1),
    t: theme,
    "/": () => element("filter").focus(),
    "?": () => element("keys").toggleAttribute("open"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea")) return;
    const inChart = event.target.closest("#chart") || event.target === document.body;
    const action = keys[event.key];
    if (!action || (!inChart && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    action(event);
  });

  const buttons = {
    first: () => goTo(0),
    previous: () => step(-1),
    next: () => step(1),
    last: () => goTo(run.end),
    "previous-cause": () => cause(-1),
    "next-cause": () => cause(1),
    closer: () => zoom(0.6),
    wider: () => zoom(1 / 0.6),
    fit: () => put({ view: { ...run.limits } }),
    theme,
    all: () => put({ all: !state.all }),
  };
  for (const [id, action] of Object.entries(buttons)) element(id).addEventListener("click", action);
  if (!run.entries.some((entry) => entry.cause) && !run.deadline) {
    element("previous-cause").hidden = true;
    element("next-cause").hidden = true;
  }
  for (const id of ["places", "marks", "arrows"]) {
    element("show-" + id).addEventListener("change", (event) => put({ [id]: event.target.checked }));
  }

  function choose(wanted) {
    state.chosen = new Set(run.lanes.filter(wanted).map((lane) => lane.at));
    element("lane-list").querySelectorAll("input").forEach((box) => (box.checked = state.chosen.has(Number(box.value))));
    later();
  }
  element("lane-list").innerHTML = run.lanes
    .map((lane) => `<label><input type="checkbox" value="${lane.at}"${state.chosen.has(lane.at) ? " checked" : ""}> ${text(lane.name)}</label>`)
    .join("");
  element("lane-list").addEventListener("change", (event) => {
    const lane = Number(event.target.value);
    if (event.target.checked) state.chosen.add(lane);
    else state.chosen.delete(lane);
    later();
  });
  element("lanes-all").addEventListener("click", () => choose(() => true));
  element("lanes-claim").addEventListener("click", () => choose((lane) => claimLanes.includes(lane.at)));
  if (!claimLanes.length) element("lanes-claim").hidden = true;
  element("filter").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    choose((lane) => !words.length || words.some((word) => lane.name.toLowerCase().includes(word)));
  });

  const chart = element("chart");
  const column = (event) => event.clientX - chart.getBoundingClientRect().left;
  let drag = null;
  chart.addEventListener("wheel", (event) => {
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      pan(((event.deltaX || event.deltaY) / 1000) * 1.2);
    } else if (event.ctrlKey || event.target.closest("#axis, #strips") || place.height <= element("lanes").clientHeight) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, place.time(Math.max(column(event), GUTTER)));
    }
  }, { passive: false });
  chart.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && column(event) >= GUTTER) drag = { x: event.clientX, view: state.view, moved: false };
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const by = event.clientX - drag.x;
    if (Math.abs(by) > 4) drag.moved = true;
    if (drag.moved) put({ view: panned(drag.view, (-by / place.pixels) * (drag.view.to - drag.view.from), run.limits) });
  });
  window.addEventListener("pointerup", () => setTimeout(() => (drag = null), 0));
  chart.addEventListener("click", (event) => {
    if (drag && drag.moved) return;
    const lane = event.target.closest("[data-lane]");
    const bar = barOf(event.target);
    const entry = event.target.closest("[data-entry]");
    if (lane) state.lane = Number(lane.dataset.lane);
    state.bar = bar || (lane && !entry ? state.bar : null);
    if (entry) goTo(run.entries[Number(entry.dataset.entry)].time);
    else if (column(event) >= GUTTER) goTo(snapped(place.time(column(event))));
    else later();
  });

  // The instant nearest to a time, when it is within a few pixels.
  function snapped(time) {
    const reach = ((state.view.to - state.view.from) / place.pixels) * 6;
    const near = [neighbour(run.instants, time, -1), neighbour(run.instants, time, 1)].filter((at) => Math.abs(at - time) <= reach);
    near.sort((a, b) => Math.abs(a - time) - Math.abs(b - time));
    return near.length ? near[0] : Math.round(Math.max(time, 0));
  }

  function barOf(target) {
    const found = target.closest("[data-bar]");
    if (!found) return null;
    const [lane, at] = found.dataset.bar.split(".").map(Number);
    return run.lanes[lane].bars[at];
  }

  const tip = element("tip");
  chart.addEventListener("pointermove", (event) => {
    const bar = barOf(event.target);
    const entry = event.target.closest("[data-entry]");
    tip.hidden = !(bar || entry) || Boolean(drag && drag.moved);
    if (tip.hidden) return;
    tip.innerHTML = bar ? barHtml(run, bar) : entryHtml(run, run.entries[Number(entry.dataset.entry)]);
    const wide = event.clientX > innerWidth - 360;
    tip.style.left = (wide ? event.clientX - tip.offsetWidth - 14 : event.clientX + 14) + "px";
    tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + "px";
  });
  chart.addEventListener("pointerleave", () => (tip.hidden = true));

  element("side").addEventListener("click", (event) => {
    const go = event.target.closest("[data-go]");
    if (go) put({ lane: Number(go.dataset.go) });
    if (event.target.closest("[data-whole]")) put({ whole: true });
  });
  element("lanes").addEventListener("scroll", later);
  new ResizeObserver(later).observe(chart);

  const asked = new URLSearchParams(location.hash.slice(1));
  const number = (name) => (asked.has(name) ? Number(asked.get(name)) : NaN);
  if (number("t") >= 0) state.cursor = Math.min(number("t"), run.limits.to);
  if (number("to") > number("from")) state.view = within({ from: number("from"), to: number("to") }, run.limits);
  draw();
  element("lanes").dataset.ready = "1";
})();
