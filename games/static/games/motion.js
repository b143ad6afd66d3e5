/* The way of a card: from where it was to where it is, after an update and under a finger. Nothing
   here but what the page shows; a card that is hidden travels as a back, and has no name. */

const byId = (id) => document.getElementById(id);
const table = byId("table");
const TIME = 220;
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const FACES = ".hand .card .face, .upcard .face, .showdown .face";
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const isStill = () => calm.matches || document.documentElement.dataset.motion === "off";
const nameOf = (face) => face.src.match(/(\w\w)\.[^/]*$/)[1];
const rectOf = (part) => part?.getBoundingClientRect();
const isSeen = (rect) => rect?.width > 0;

let play = null; // what play.js lends: the cards of the hand, sorting and discarding
let was = null; // the table before an update

export function begin(lent, event) {
  if (!play) setTimeout(warm, 1_000);
  play = lent;
  if (event.type === "pointerdown") grab(event);
}

/* The faces are fetched before they are turned up: one by one, and not where data is dear. */
async function warm() {
  if (navigator.connection?.saveData) return;
  const lists = [table.dataset.faces, document.querySelector("link[href*=four-colours]")?.href];
  for (const list of lists.filter(Boolean)) {
    const text = await fetch(list).then((answer) => answer.text(), () => "");
    for (const [, url] of text.matchAll(/url\("?([^")]+)"?\)/g)) {
      const picture = new Image();
      picture.fetchPriority = "low";
      picture.src = new URL(url, new URL(list, location.href));
      await picture.decode().catch(() => {});
    }
  }
}

export function before() {
  was ??= snapshot();
}

export function after() {
  if (drag && !play.itemOf(drag.card)) letGo();
  if (was && !isStill()) animate(was, snapshot());
  if (was && was.sheet !== byId("sheet") && !isStill()) flourish();
  was = null;
}

export function snapshot() {
  const cards = new Map();
  for (const face of table.querySelectorAll(FACES)) {
    if (isSeen(rectOf(face))) cards.set(nameOf(face), { face, rect: rectOf(face) });
  }
  return {
    cards,
    round: byId("news").dataset.round,
    sheet: byId("sheet"),
    stock: rectOf(table.querySelector(".stock")),
    top: table.querySelector(".upcard > .face"),
    seats: ["opponent", "hand"].map(seat),
  };
}

function seat(id) {
  const [backs, avatar] = [".backs", ".avatar"].map((part) => rectOf(byId(id).querySelector(part)));
  const { x, y, width } = (isSeen(backs) ? backs : avatar) ?? {};
  return { rect: { x, y, width: Math.min(width, 50) }, held: byId(id).querySelectorAll(".back").length };
}

/* Cards that stay in the hand move there. */
export function glide(old) {
  if (isStill()) return;
  for (const [name, { face, rect }] of snapshot().cards) {
    const from = old.cards.get(name)?.rect;
    const label = face.closest(".hand .card:not(.dragged)");
    if (!from || !label) continue;
    const [x, y] = [from.x - rect.x, from.y - rect.y];
    if (Math.hypot(x, y) < 2) continue;
    label.animate({ translate: [`${x}px ${y}px`, "0 0"] }, { duration: TIME, easing: EASE });
  }
}

function animate(old, now) {
  const dealt = old.round !== now.round;
  if (!dealt) glide(old);
  let delay = 0;
  for (const [name, { face, rect }] of now.cards) {
    const known = dealt ? null : old.cards.get(name);
    if (known && stays(known.face, face)) continue;
    const from = known?.rect ?? origin(face, old, now, dealt);
    travel(face, from, rect, face, delay);
    if (dealt) delay += 25;
  }
  if (!dealt) now.seats.forEach((seat, place) => drawn(seat, old.seats[place], old, now));
}

/* A game has ended: its star opens on the pad. */
function flourish() {
  const opening = { opacity: [0, 1], transform: ["scale(4) rotate(-150deg)", "none"] };
  const timing = { duration: 900, easing: "cubic-bezier(0.2, 1.6, 0.4, 1)", pseudoElement: "::after" };
  for (const game of byId("sheet").querySelectorAll(".fresh")) game.animate(opening, timing);
}

/* Whether a card is where it was, or has moved within the hand, which is seen to already. */
const stays = (from, to) =>
  [".hand", ".upcard", ".showdown"].some((place) => from.closest(place) && to.closest(place));

/* Where a card comes from that nobody could see before: the stock, or a hand. */
function origin(face, old, now, dealt) {
  if (dealt || face.closest(".hand")) return now.stock ?? old.stock;
  const [far, near] = old.seats;
  const isNear = face.closest(".upcard")
    ? now.seats[1].held < near.held
    : face.closest(".open-hand")?.matches(".open-hand + .open-hand");
  return isNear ? near.rect : far.rect;
}

/* A hand that lies face down has one card more: the one that lay on the pile, or one from the stock. */
function drawn({ rect, held }, before, old, now) {
  if (held !== before.held + 1) return;
  const taken = old.top && !now.cards.has(nameOf(old.top)) ? old.top : null;
  travel(taken ?? back(), taken ? old.cards.get(nameOf(taken)).rect : old.stock, rect);
}

function back() {
  const picture = document.createElement("i");
  picture.className = "back";
  return picture;
}

/* A picture travels over everything; `arrives` is unseen meanwhile, and can be used all the same. */
function travel(picture, from, to, arrives, delay = 0) {
  if (!isSeen(from) || !isSeen(to)) return;
  const copy = picture.cloneNode();
  copy.alt = "";
  copy.classList.add("travelling");
  document.body.append(copy);
  const at = ({ x, y, width }) => `translate(${x}px, ${y}px) scale(${width / 100})`;
  const timing = { duration: TIME, delay, easing: EASE, fill: "backwards" };
  copy.animate({ transform: [at(from), at(to)] }, timing).onfinish = () => copy.remove();
  arrives?.animate({ opacity: [0, 0] }, TIME + delay);
}

/* A card in focus is moved by keys. */
export function step(item, by) {
  play.move(item.dataset.held, play.items().indexOf(item) + by);
  const [place, count] = [play.items().indexOf(item) + 1, play.items().length];
  const words = { card: item.querySelector("img").alt, place, count };
  const moved = byId("hand").querySelector(".sort").dataset.moved;
  play.tell(moved.replace(/{(\w+)}/g, (_, name) => words[name]));
}

/* Dragging: a card within the hand, or to the pile. It makes room where it rests, not on the way. */

const REST = 90;
const SLIP = { touch: 16 }; // pixels that are no drag yet: a fingertip is never quite still
let drag = null;
let waits = false; // it was dropped on the pile, and stays there until the answer
let dropped = false; // just now: the click that follows is none

function grab({ target, button, isPrimary, pointerId, pointerType, clientX, clientY }) {
  const label = target.closest(".hand .card");
  if (!label || button || !isPrimary) return;
  const { x, y } = rectOf(label);
  const card = label.closest("li").dataset.held;
  const [from, grip] = [[clientX, clientY], [clientX - x, clientY - y]];
  const slip = SLIP[pointerType] ?? 8;
  drag = { card, pointerId, from, grip, slip, on: false, was: play.sorting(), over: null, timer: 0 };
}

table.addEventListener("pointerdown", grab);

table.addEventListener("pointermove", ({ pointerId, buttons, clientX: x, clientY: y }) => {
  if (drag?.pointerId !== pointerId) return;
  if (!buttons) return letGo();
  if (!drag.on && Math.hypot(x - drag.from[0], y - drag.from[1]) < drag.slip) return;
  if (!drag.on) table.setPointerCapture(pointerId);
  drag.on = true;
  drag.at = [x, y];
  follow();
  const over = place(x, y);
  if (over === drag.over) return;
  drag.over = over;
  clearTimeout(drag.timer);
  drag.timer = setTimeout(rest, REST);
});

/* The place in the hand under a point; none over the card itself, and null outside the hand. */
function place(x, y) {
  if (!isIn(rectOf(byId("hand")), x, y)) return null;
  const item = play.itemOf(drag.card);
  return play.items().findIndex((each) => each !== item && isIn(rectOf(each), x, y));
}

function rest() {
  if (!drag) return;
  if (drag.over === null) play.restore(drag.was);
  else if (drag.over >= 0) play.move(drag.card, drag.over);
  follow();
}

/* A style set by script is within the policy; the label has no id, for which htmx would carry it on. */
function follow() {
  const item = play.itemOf(drag.card);
  const [slot, label] = [rectOf(item), item.querySelector(".card")];
  const [left, top] = [0, 1].map((axis) => drag.at[axis] - drag.grip[axis]);
  label.classList.add("dragged");
  label.style.translate = `${left - slot.x}px ${top - slot.y}px`;
  pile()?.classList.toggle("over", isIn(rectOf(pile()), ...drag.at, 24));
}

const pile = () => table.querySelector(".upcard.target");

function isIn(rect, x, y, room = 0) {
  if (!isSeen(rect)) return false;
  const { left, right, top, bottom } = rect;
  return x > left - room && x < right + room && y > top - room && y < bottom + room;
}

table.addEventListener("pointerup", ({ pointerId, clientX, clientY }) => {
  if (drag?.pointerId !== pointerId) return;
  const { card, on } = drag;
  if (on) {
    drag.over = place(clientX, clientY);
    rest();
  }
  clearTimeout(drag.timer);
  drag = null;
  if (!on) return;
  dropped = true;
  setTimeout(() => (dropped = false), 60);
  waits = isIn(rectOf(pile()), clientX, clientY, 24) && play.discardOf(card) !== null;
  if (waits) play.discard(card);
  // If it was asked about first, it lies in the hand meanwhile.
  if (!waits || table.querySelector(":popover-open")) letGo();
});

function letGo() {
  const old = snapshot();
  for (const label of table.querySelectorAll(".card.dragged")) {
    label.classList.remove("dragged");
    label.style.translate = "";
  }
  pile()?.classList.remove("over");
  drag = null;
  waits = false;
  glide(old);
}

table.addEventListener("pointercancel", letGo);
table.addEventListener("table:settled", () => waits && letGo());
table.addEventListener("dragstart", (event) => event.preventDefault());
table.addEventListener("click", swallow, true);

function swallow(event) {
  if (!dropped) return;
  event.preventDefault();
  event.stopPropagation();
}
