// Puts it together: listens, keeps the cursor, draws when something changed.

const $ = (id) => document.getElementById(id);
const side = html("div", "");
side.id = "side";
side.append($("mind-panel"), $("decision-panel"), $("claim-panel"), $("log-panel"));
document.querySelector("main").append(side);

const page = {
  story: new Story(), cursor: -1, following: true, waiting: false, run: null,
  // A cycle that the address names: #cycle=12
  wanted: number(Number(/^#cycle=(\d+)$/.exec(location.hash)?.[1] ?? NaN)),
  chart: new Chart($("chart")), strips: new Strips($("strips")),
};

function draw() {
  page.waiting = false;
  const { story } = page;
  const last = story.frames.length - 1;
  if (page.wanted !== null) {
    const at = story.frames.findIndex((frame) => frame.cycle === page.wanted);
    page.following = at < 0;
    page.cursor = at;
  }
  if (page.following) page.cursor = last;
  page.cursor = Math.min(page.cursor, last);
  const frame = story.frames[page.cursor];
  heading(story, frame);
  $("slider").max = String(story.frames.length);
  $("slider").value = String(page.cursor + 1);
  const drawn = !story.drawing.empty;
  $("chart-panel").hidden = !drawn;
  $("figures").hidden = story.series.size === 0;
  document.querySelector("main").className = [drawn ? "" : "no-chart", story.series.size ? "" : "no-figures"].join(" ").trim();
  if (drawn) page.chart.render(story.drawing.at(Math.max(0, page.cursor)), story, page.cursor);
  $("notes").replaceChildren(...(frame?.notes ?? []).map((note) => html("p", "", html("b", "", `${note.name} `), note.text)));
  $("figures").replaceChildren(...[...story.series.values()].map((series) => figure(series, page.cursor, story.frames.length)));
  $("minds").replaceChildren(...mindNow(story, page.cursor));
  $("decisions").replaceChildren(...decisions(story, page.cursor));
  $("claims").replaceChildren(...claims(story, page.cursor));
  page.strips.render(story, page.cursor);
  const log = $("log");
  log.replaceChildren(...logLines(story, page.cursor));
  log.scrollTop = log.scrollHeight;
}

function heading(story, frame) {
  const { head } = story;
  if (head) {
    $("model").textContent = shorten(head.model) || "a run";
    document.title = `${shorten(head.model, 60)}: a run`;
    const pace = head.rate ? `${head.rate} cycles a second` : "in lockstep";
    const parts = [list(head.agents).map((agent) => shorten(agent, 40)).slice(0, 6).join(", "), head.skills ? `skills: ${shorten(head.skills, 120)}` : "", pace, `chooses: ${shorten(head.select, 20)}`];
    $("about").textContent = parts.filter(Boolean).join(" · ");
  }
  const skipped = story.skipped ? `, ${story.skipped} earlier ones are not kept` : "";
  $("now").textContent = `cycle ${frame?.cycle ?? 0}${story.frames.length ? ` of ${story.frames.at(-1).cycle}` : ""}${skipped}`;
  $("follow").textContent = page.following ? "pause" : "follow";
  $("follow").setAttribute("aria-pressed", String(page.following));
}

function redraw() {
  if (page.waiting) return;
  page.waiting = true;
  const once = () => { if (page.waiting) draw(); };
  requestAnimationFrame(once);
  // A page that nobody sees gets no frames to draw.
  setTimeout(once, 200);
}

function standing(kind, words) {
  $("standing").className = `pill ${kind}`;
  $("standing").textContent = words;
}

function listen() {
  const source = new EventSource("events");
  source.onopen = () => { if (!page.story.end) standing("live", "live"); };
  source.onmessage = (message) => {
    let event;
    try { event = JSON.parse(message.data); } catch { return; }
    if (event.event === "story") {
      page.story = new Story();
      page.run = event.run;
      page.following = true;
    } else page.story.hear(record(event));
    if (event.event === "end") {
      source.close();
      const wrong = ["dead", "silent", "fault"].includes(event.end) || list(event.standings).some((one) => one.alarm === true);
      standing(wrong ? "wrong" : "ended", `ended: ${shorten(event.reason, 120)}`);
      // The next run may come at the same address.
      setTimeout(again, 4000);
    }
    redraw();
  };
  source.onerror = () => {
    if (page.story.end) return;
    // A browser tries again by itself unless the answer was a refusal.
    standing("lost", "connection lost, trying again");
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
}

// After the end: looks now and then whether another run is there, without losing this one.
function again() {
  const probe = new EventSource("events");
  const later = () => { probe.close(); setTimeout(again, 8000); };
  probe.onmessage = (message) => {
    let event;
    try { event = JSON.parse(message.data); } catch { return; }
    if (event.event !== "story" || event.run === page.run) { later(); return; }
    probe.close();
    listen();
  };
  probe.onerror = later;
}

// Shows a moment, and names it in the address; or follows the run again.
function look(cursor, following) {
  page.wanted = null;
  page.following = following;
  page.cursor = Math.max(-1, Math.min(cursor, page.story.frames.length - 1));
  const cycle = page.story.frames[page.cursor]?.cycle;
  history.replaceState(null, "", following || cycle === undefined ? location.pathname : `#cycle=${cycle}`);
  redraw();
}
const go = (cursor) => look(cursor, cursor >= page.story.frames.length);

$("slider").addEventListener("input", (event) => {
  const cursor = Number(event.target.value) - 1;
  look(cursor, cursor === page.story.frames.length - 1);
});
$("follow").addEventListener("click", () => look(page.cursor, !page.following));
$("back").addEventListener("click", () => go(page.cursor - 1));
$("forward").addEventListener("click", () => go(page.cursor + 1));
$("strips").addEventListener("click", (event) => { const at = page.strips.frameAt(event.clientX); if (at !== null) go(Math.min(at, page.story.frames.length - 1)); });
$("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.altKey || event.metaKey) return;
  const keys = {
    " ": () => $("follow").click(), ArrowLeft: () => go(page.cursor - 1), ArrowRight: () => go(page.cursor + 1),
    Home: () => go(-1), End: () => look(page.story.frames.length - 1, true), t: () => $("theme").click(),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
addEventListener("resize", redraw);
listen();
redraw();
