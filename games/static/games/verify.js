/* Works a deal out again, in this browser, and says whether it is the one that was promised. */

const byId = (id) => document.getElementById(id);
const verdict = byId("verdict");
const { fingerprint, shuffledDeck } = await import(verdict.dataset.deal);
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const HEX = /^[0-9a-f]{64}$/;

const typed = (id) => byId(id).value.trim();
const digits = (id) => typed(id).toLowerCase();

function check() {
  const [secret, commitment, message] = [digits("secret"), digits("commitment"), typed("message")];
  const parts = message.split("|").slice(3);
  const isReadable = HEX.test(secret) && HEX.test(commitment) && parts.length === 2;
  if (!isReadable) return show("unreadable", {}, null);
  const deck = shuffledDeck(secret, message);
  const dealt = typed("deck").toUpperCase().split(/[\s,]+/).join(" ");
  show("", {
    secret: fingerprint(secret) === commitment,
    "promise-0": kept(parts[0], digits("promise-0")),
    "promise-1": kept(parts[1], digits("promise-1")),
    deck: dealt ? dealt === deck.join(" ") : undefined,
  }, deck);
}

/* Whether a part is what was promised; null where it was not told, undefined without a promise. */
function kept(part, promise) {
  if (!promise) return undefined;
  return part === "none" ? null : HEX.test(part) && fingerprint(part) === promise;
}

function show(trouble, found, deck) {
  const isWrong = Object.values(found).includes(false);
  const state = trouble || (isWrong ? "wrong" : "ok");
  for (const part of verdict.children) part.hidden = part.dataset.for !== state;
  for (const line of document.querySelectorAll(".checks li")) {
    const is = found[line.id.replace("check-", "")];
    line.hidden = is === undefined;
    line.className = is === null ? "none" : is ? "ok" : "wrong";
  }
  byId("result").hidden = !deck;
  if (deck) deal(deck);
}

function deal(deck) {
  const piles = {
    first: deck.slice(0, 20).filter((_, index) => index % 2 === 0),
    second: deck.slice(0, 20).filter((_, index) => index % 2 === 1),
    upcard: deck.slice(20, 21),
    stock: deck.slice(21),
  };
  for (const place of document.querySelectorAll("[data-pile]")) {
    place.replaceChildren(...piles[place.dataset.pile].flatMap((card) => [sign(card), " "]));
  }
}

function sign([rank, suit]) {
  const card = document.createElement("span");
  card.className = "DH".includes(suit) ? "sign red" : "sign";
  card.textContent = (rank === "T" ? "10" : rank) + SIGNS[suit];
  return card;
}

byId("deal").addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
if (typed("secret")) check();
