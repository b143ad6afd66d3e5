/* Steps through a round without loading the page anew: each action has its own address, and what is
   there is what the server made. The address in the bar goes along, so that it can be copied; the
   history does not, so that one press of Back leaves the round, but for a way within the page. */

const byId = (id) => document.getElementById(id);
const replay = byId("replay");
const { url, query } = replay.dataset;
const last = Number(replay.dataset.last);
const slider = byId("slider");
const playing = byId("play");
const fetched = new Map(); // fragments by ply: a round that is over never changes

let here = Number(byId("felt").dataset.ply);
let wanted = here;
let timer = 0; // of the next step, while it plays by itself
let noted = 0; // the timer of the address

document.documentElement.classList.add("js");

const addressOf = (ply) => `${url}${ply}/${query}`;

function fragment(ply) {
  if (!fetched.has(ply)) fetched.set(ply, load(ply));
  return fetched.get(ply);
}

async function load(ply) {
  const response = await fetch(addressOf(ply), { headers: { "HX-Request": "true" } });
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}

async function go(ply) {
  wanted = Math.max(0, Math.min(last, ply));
  const target = wanted;
  slider.value = target;
  if (target === here) return;
  try {
    const text = await fragment(target);
    if (target !== wanted) return; // somebody was quicker
    here = target;
    move(() => show(text));
    note();
    if (here < last) fragment(here + 1).catch(() => fetched.delete(here + 1));
  } catch {
    fetched.delete(target);
    location.assign(addressOf(target)); // the page says what is wrong
  }
}

/* At rest: a browser refuses many changes of the address at once. */
function note() {
  clearTimeout(noted);
  noted = setTimeout(() => history.replaceState(null, "", addressOf(here)), 250);
}

/* With movement each card goes from where it lay to where it lies. */
function move(change) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const root = document.documentElement;
  if (still || root.dataset.motion === "off" || !document.startViewTransition) return change();
  name();
  const { ready } = document.startViewTransition(() => {
    change();
    name();
  });
  ready.catch(() => {}); // the next one came before it had begun
}

function name() {
  for (const face of byId("felt").querySelectorAll("img.face")) {
    face.style.viewTransitionName = `card-${face.src.match(/\/(\w\w)\.[^/]*$/)[1]}`;
  }
}

function show(text) {
  const focus = document.activeElement?.id;
  const made = document.createRange().createContextualFragment(text);
  for (const part of [...made.children]) byId(part.id).replaceWith(part);
  if (focus && document.activeElement?.id !== focus) byId(focus)?.focus({ preventScroll: true });
  slider.value = here;
  byId("told").textContent = byId("felt").dataset.told;
  for (const line of byId("actions").querySelectorAll("a")) mark(line);
}

function mark(line) {
  if (Number(line.dataset.ply) !== here) return line.removeAttribute("aria-current");
  line.setAttribute("aria-current", "step");
  const list = byId("actions");
  list.scrollTop = line.offsetTop - list.clientHeight / 2;
}

/* By itself. */

function play(on) {
  clearTimeout(timer);
  timer = 0;
  playing.setAttribute("aria-pressed", on);
  playing.textContent = on ? playing.dataset.pressed : playing.dataset.words;
  if (on) timer = setTimeout(next, here === last ? 0 : Number(byId("speed").value));
}

async function next() {
  await go(here === last ? 0 : here + 1);
  play(here < last);
}

const toggle = () => play(!timer);

/* By hand. */

const KEYS = {
  ArrowLeft: () => go(wanted - 1),
  ArrowRight: () => go(wanted + 1),
  Home: () => go(0),
  End: () => go(last),
  " ": null,
};

document.addEventListener("keydown", (event) => {
  if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (document.documentElement.dataset.keys === "off") return;
  const field = event.target.closest("input, select, textarea");
  const pressable = event.target.closest("button, summary, a[href]");
  if (event.key === " " ? pressable || field?.matches("select") : field) return;
  event.preventDefault();
  if (event.key === " ") return toggle();
  play(false);
  KEYS[event.key]();
});

document.addEventListener("click", (event) => {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest("#steps a[href], #actions a");
  if (!link) return;
  event.preventDefault();
  play(false);
  go(Number(link.pathname.match(/(\d+)\/$/)[1]));
});

addEventListener("popstate", () => {
  play(false);
  go(Number.parseInt(location.pathname.slice(url.length)) || 0);
});

slider.addEventListener("input", () => {
  play(false);
  go(Number(slider.value));
});
slider.form.addEventListener("submit", (event) => event.preventDefault());
playing.addEventListener("click", toggle);
byId("speed").addEventListener("change", () => timer && play(true));
mark(byId("actions").querySelector("[aria-current]"));
if (here < last) fragment(here + 1).catch(() => fetched.delete(here + 1));
