/* Sorting the hand, choosing, keys. It presses what the server has made, and knows no rule. An order
   of one's own stays in this browser, for its round. motion.js is fetched with the first touch, clock.js when there
   is a time to count down. */

const root = document.documentElement.dataset; // the preferences
const byId = (id) => document.getElementById(id);
const table = byId("table");
const hand = () => byId("hand");
const items = () => [...hand().querySelectorAll("li")];
const itemOf = (card) => hand().querySelector(`[data-held="${card}"]`);
const cardOf = (item) => item.dataset.held;
const chosen = () => hand().querySelector("li > input:checked");
const sorter = () => hand().querySelector(".sort");

function tell(words) {
  byId("told").textContent = words;
}

/* Sorting: the server's melds, or all cards in one order. */

const SORTS = ["melds", "suit", "rank", "own"];
const RANKS = "A23456789TJQK";
const UPPER = 6; // cards in the upper of two rows, so that one more fits below
const HANDS = "hands"; // what is kept of each series, the latest first
const SERIES = 20;
const PLACES = {
  suit: ([rank, suit]) => suit.charCodeAt() * 13 + RANKS.indexOf(rank), // C D H S
  rank: ([rank, suit]) => RANKS.indexOf(rank) * 99 + suit.charCodeAt(),
  own: (card) => (own.includes(card) ? own.indexOf(card) : own.length),
};

let { sort = "melds", own = [], round = "", named = "melds" } = Object.fromEntries(kept())[table.dataset.url] ?? {};
let shown = null; // the hand that `homes` and `rows` belong to
let homes = []; // each card and the list where the server has put it
let rows = null; // the two lists of all cards in one order
let motion = null; // motion.js, once it is there

function kept() {
  try {
    return JSON.parse(localStorage.getItem(HANDS)) ?? [];
  } catch {
    return []; // this browser keeps nothing
  }
}

function keep() {
  const others = kept().filter(([url]) => url !== table.dataset.url);
  const hands = [[table.dataset.url, { sort, own, round, named }], ...others].slice(0, SERIES);
  try {
    localStorage.setItem(HANDS, JSON.stringify(hands));
  } catch {
    // It lasts as long as the page.
  }
}

function arrange() {
  const focus = document.activeElement;
  const now = byId("news").dataset.round;
  if (round !== now) {
    // An order of one's own is of one hand: the next is sorted as it was before.
    [round, own] = [now, []];
    if (sort === "own") sort = named;
  }
  if (shown !== hand()) {
    shown = hand();
    homes = items().map((item) => [item, item.parentElement]);
    rows = null;
  }
  const inMelds = sort === "melds";
  shown.classList.toggle("arranged", !inMelds);
  shown.classList.toggle("sorted", !inMelds);
  // No card is moved without need: an open dialog in it would close.
  if (inMelds && rows) for (const [item, list] of homes) list.append(item);
  else if (!inMelds && homes.length) inOrder();
  // The guide points at a card.
  const advised = byId("guide").dataset.card;
  for (const item of items()) item.classList.toggle("advised", cardOf(item) === advised);
  const name = sorter()?.dataset.words.split("|")[SORTS.indexOf(sort)];
  for (const part of table.querySelectorAll(".sort b")) part.textContent = name;
  if (focus !== document.activeElement && focus.isConnected) focus.focus({ preventScroll: true });
}

function inOrder() {
  rows ??= [newRow(), newRow()];
  const place = (item) => PLACES[sort](cardOf(item));
  const all = homes.map(([item]) => item).sort((one, other) => place(one) - place(other));
  rows[0].append(...all.slice(0, UPPER));
  rows[1].append(...all.slice(UPPER));
  if (sort === "own") own = all.map(cardOf);
}

function newRow() {
  const row = document.createElement("div");
  row.className = "row own";
  const list = document.createElement("ol");
  list.className = "cards";
  row.append(list);
  shown.querySelector(".total").before(row);
  return list;
}

function sortBy(way) {
  const before = motion?.snapshot();
  sort = way;
  if (way !== "own") named = way;
  arrange();
  motion?.glide(before);
  keep();
}

function nextSort() {
  const ways = SORTS.slice(0, own.length ? 4 : 3);
  sortBy(ways[(ways.indexOf(sort) + 1) % ways.length]);
  tell(sorter()?.textContent);
}

const sorting = () => ({ sort, own });

function restore(was) {
  if (was.sort === sort && was.own === own) return;
  own = was.own;
  sortBy(was.sort);
}

/* Put a card at a place; from then on the order is the player's own. */
function move(card, place) {
  const cards = items().map(cardOf);
  const at = Math.max(0, Math.min(place, cards.length - 1));
  if (cards.indexOf(card) === at) return;
  cards.splice(cards.indexOf(card), 1);
  cards.splice(at, 0, card);
  own = cards;
  sortBy("own");
}

/* Choosing and discarding. */

let pressed = null; // a chosen card under the finger
let tapped = { card: "", at: 0 };

const discardOf = (card) => itemOf(card)?.querySelector('[data-action="discard"]');

function discard(card) {
  const form = discardOf(card);
  if (!form) return;
  itemOf(card).querySelector("input").checked = true;
  form.requestSubmit(form.querySelector("button"));
}

table.addEventListener("pointerdown", ({ target }) => {
  const radio = target.closest("label.card")?.control;
  pressed = radio?.checked ? radio : null;
});

table.addEventListener("click", (event) => {
  const { target, timeStamp } = event;
  if (target.matches(".hand li > input")) tap(target, timeStamp);
  if (target.closest(".upcard.target") && chosen()) discard(chosen().value);
  if (!target.closest(".sort")) return;
  event.preventDefault();
  nextSort();
});

function tap(radio, at) {
  const twice = radio.value === tapped.card && at - tapped.at < 400;
  tapped = { card: radio.value, at };
  if (twice && root.doubleTap === "on") discard(radio.value);
  else if (radio === pressed) radio.checked = false;
}

/* Keys. */

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -99, End: 99 };
const KEYS = {
  d: () => press("#button-draw"),
  t: () => press("#button-take"),
  p: () => press("#button-pass"),
  n: () => press("#button-next-round"),
  b: () => press("#button-best") && byId("button-defend").focus(),
  x: () => (chosen() ? press(`#discard-${chosen().value}`) : chooseFirst()),
  k: () => openKnock("knock"),
  g: () => press("#open-big-gin") || openKnock("gin"),
  l: layOff,
  s: nextSort,
};

function press(selector) {
  const button = table.querySelector(selector);
  button?.focus(); // what follows is found from there
  button?.click();
  return button;
}

/* Seen and heard: the notice is an alert. */
function chooseFirst() {
  if (table.querySelector(".card-forms form")) byId("notice").textContent = byId("actions").dataset.choose;
}

/* Open the arrangement of the chosen card, or of the only one that has such. */
function openKnock(kind) {
  const all = hand().querySelectorAll(`[id^="open-${kind}-"]`);
  const button = chosen() ? byId(`open-${kind}-${chosen().value}`) : all.length === 1 && all[0];
  if (!button) return chosen() || chooseFirst();
  button.closest("li").querySelector("input").checked = true;
  button.click();
}

/* Lay off or take back the card in focus, or else the next; then confirming is one key away. */
function layOff() {
  const forms = '[data-action="lay-off"]';
  const focused = document.activeElement.closest(forms);
  const next = hand().querySelector(forms) ?? [...table.querySelectorAll(`.showdown ${forms}`)].pop();
  if (!focused) byId("button-defend")?.focus();
  (focused ?? next)?.requestSubmit();
}

function walk(step) {
  const all = items().map((item) => item.querySelector("input[type=radio], button.card"));
  const at = all.indexOf(document.activeElement);
  const from = at < 0 && step < 0 ? all.length : at;
  all[Math.max(0, Math.min(from + step, all.length - 1))]?.focus();
}

document.addEventListener("keydown", (event) => {
  const { target, key, altKey, shiftKey } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey) return;
  if (target.closest("input:not([type=radio]), textarea, select, [contenteditable]")) return;
  const item = target.closest(".hand li");
  const isCard = target.matches(".hand li > input");
  if (key === "?" && root.keys !== "off") byId("keys").togglePopover();
  else if (table.querySelector(":popover-open")) return;
  else if (altKey && item && key in STEPS) motion?.step(item, STEPS[key]);
  else if (altKey || shiftKey) return;
  else if (key in STEPS && (item || target === document.body || target.id === "call")) walk(STEPS[key]);
  else if (isCard && (key === " " || key === "Enter")) target.checked = !target.checked;
  else if (key === "Escape" && chosen()) chosen().checked = false;
  else if (!letter(event)) return;
  event.preventDefault();
});

/* Single letters, wherever they lie on a keyboard of another script. */
function letter({ key, code, repeat }) {
  const name = (/^[a-z]$/i.test(key) ? key : code.replace("Key", "")).toLowerCase();
  if (root.keys === "off" || repeat || !(name in KEYS)) return false;
  KEYS[name]();
  return true;
}

/* Small helps. */

table.addEventListener("click", (event) => {
  // The second half of a double click is meant for the button that stood there before.
  if (event.detail > 1 && event.target.closest("button")?.type === "submit") event.preventDefault();
  if (event.target.matches("#notice, .hand li > input")) byId("notice").textContent = "";
});

/* Updates, and what is fetched. */

setTimeout(fetchMotion, 2_000, {}); // if the first touch is late
for (const type of ["pointerover", "pointerdown", "keydown", "table:before"]) {
  addEventListener(type, fetchMotion, { capture: true, once: true });
}

/* While the line is down nothing can be fetched; the table is played without. */
const fetched = (address) => import(address).catch(() => null);

async function fetchMotion(event) {
  motion = await fetched(table.dataset.motion);
  motion?.begin({ itemOf, items, sorting, restore, move, discardOf, discard, tell }, event);
}

/* What waits at other tables. */
const icon = document.querySelector("link[data-waiting]");
if (icon) setTimeout(() => fetched(icon.dataset.script), 1_000);

function tellTimes() {
  if (table.querySelector("#deal-at, time[data-clock]")) fetched(table.dataset.clock);
  if (document.querySelector("time[data-local]")) fetched(table.dataset.times);
}

table.addEventListener("table:before", () => motion?.before());
table.addEventListener("table:swapped", arrange);
table.addEventListener("table:after", () => {
  motion?.after();
  tellTimes();
});

arrange();
tellTimes();
if (table.dataset.chat) fetched(table.dataset.chat);
