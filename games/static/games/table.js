/* Keeps one socket healthy, drops what is older than what stands here, sends again what was not
   answered, keeps focus and choice across updates. It knows no rule: what can be done is in the forms
   that the server made. Others hear of each update: "table:before" it, "table:swapped" (by htmx), and
   "table:after", when focus and dialogs are back. */

const SILENCE = 11_000; // ms without a ping: the line is dead
const ANSWER = 3_000; // ms until an action is sent again
const TRIES = 4;
const POLL = 5_000; // ms between two looks at the table while there is no socket
const FINAL = { 4401: "session", 4403: "refused", 4404: "refused", 1008: "abuse" };

const byId = (id) => document.getElementById(id);
const table = byId("table");
const url = table.dataset.url;
const address = new URL(table.getAttribute("ws-connect"), location.href);
const first = byId("pulse").dataset;

let socket = null;
let retry = 0; // the timer of the next line
let heard = Date.now();
let failures = 0;
let slow = 0; // connections that did not open in time
let ended = false;
let have = { version: Number(first.version), stamp: first.stamp };
let pending = null; // the action that waits for its answer
let kept = null; // what an update must not lose
let wasMine = "mine" in byId("actions").dataset;

document.documentElement.classList.add("js");

/* The line. */

const isOpen = () => socket !== null && socket.readyState === WebSocket.OPEN;

function connect() {
  clearTimeout(retry);
  // One line at a time. A dead one may take minutes to report that it is closed.
  if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
  socket?.close();
  const opening = new WebSocket(address);
  opening.onopen = opened;
  opening.onmessage = ({ data }) => hear(data);
  opening.onclose = closed;
  socket = opening;
  const patience = Math.min(1_500 + 500 * slow, 8_000);
  setTimeout(() => {
    if (opening.readyState !== WebSocket.CONNECTING) return;
    slow += 1;
    failures = 0; // it has waited enough already
    opening.close();
  }, patience);
}

function opened() {
  heard = Date.now();
  slow = 0;
  show("");
  hello();
  if (pending) dispatch();
}

function closed({ code }) {
  if (code in FINAL) {
    ended = true;
    show(FINAL[code]);
    return;
  }
  if (!["poll", "silent"].includes(byId("connection").dataset.state)) show("lost");
  retry = setTimeout(connect, Math.random() * Math.min(1_000 * 2 ** failures++, 8_000));
}

function say(frame) {
  if (isOpen()) socket.send(JSON.stringify(frame));
}

function hello() {
  const announced = byId("announcements").dataset.stamp;
  say({ hello: have.version, stamp: have.stamp, build: table.dataset.build, announced });
}

setInterval(() => {
  const silent = Date.now() - heard;
  if (isOpen() && silent > SILENCE) {
    show("lost");
    heard = Date.now();
    connect();
  } else if (!isOpen() && !ended && silent > POLL && !pending && document.visibilityState !== "hidden") {
    poll();
  }
}, 500);

/* Where no socket comes through: all that is newer on the page is taken. */
function poll() {
  heard = Date.now();
  const wanted = [...document.querySelectorAll("[data-version]")].map((region) => `#${region.id}`);
  ask("GET", url, { selectOOB: wanted.join() });
}

function ask(method, path, more) {
  htmx.ajax(method, path, { source: table, target: table, swap: "none", ...more }).catch(() => {});
}

function wake() {
  if (document.visibilityState === "hidden") return;
  if (isOpen()) {
    show("");
    hello();
  } else if (!ended && socket.readyState === WebSocket.CLOSED) connect();
}

document.addEventListener("visibilitychange", wake);
addEventListener("pageshow", (event) => event.persisted && wake());
addEventListener("online", wake);
addEventListener("offline", () => show("offline"));

function show(state) {
  const banner = byId("connection");
  banner.dataset.state = state;
  banner.hidden = !state;
  for (const part of banner.querySelectorAll("[data-for]")) {
    const reload = part.dataset.for === "reload" && state !== "session";
    part.hidden = part.dataset.for !== state && !reload;
  }
}

/* What arrives: by the socket, or as the answer to a request. */

function hear(text) {
  heard = Date.now();
  failures = 0; // only now: a line may be taken and closed at once
  if (text === "ping") return say({ pong: 1 });
  remember();
  htmx.swap(table, text, { swapStyle: "none", settleDelay: 0, ignoreTitle: true });
  arrived();
  outrun = false;
  keepDraft();
}

document.addEventListener("htmx:beforeSwap", remember);
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  arrived();
  const isDraft = detail.pathInfo.requestPath.includes("/draft/");
  if (detail.successful) {
    if (isDraft && !outrun) laid = layOffs()?.value ?? ""; // the server knows what can be laid off
    keepDraft();
  }
  outrun = false;
  const isFine = detail.successful && detail.xhr.status < 400; // htmx takes every answer for success
  if (isFine && !isOpen() && !ended && byId("connection").dataset.state !== "silent") show("poll");
});

document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const fresh = event.detail.fragment.firstElementChild;
  if (isOlder(fresh.dataset, event.detail.target.dataset)) {
    outrun = true;
    event.preventDefault();
  }
});

/* The talk moves where the version does not: with an offer, a readiness. */
function isOlder(one, other) {
  return (Number(one.version) - other.version || Number(one.talk) - other.talk) < 0;
}

function arrived() {
  const pulse = byId("pulse").dataset;
  const version = Number(pulse.version);
  if (Number(pulse.since) > have.version) hello(); // something in between was lost
  else if (version >= have.version) have = { version, stamp: pulse.stamp };
  const ack = byId("ack").dataset;
  if (pending && ack.key === pending.fields.key) settle();
  table.dispatchEvent(new Event("table:swapped"));
  restore();
  table.dispatchEvent(new CustomEvent("table:after", { detail: announce() }));
  if (pulse.build !== table.dataset.build && !wasMine) show("build");
}

/* A draft of lay-offs stands in the page alone. It is asked for again where an update came without
   it, or before its answer. */

const layOffs = () => table.querySelector('[data-action="defend"] [name="lay_offs"]');
let laid = layOffs()?.value ?? ""; // what is wanted
let outrun = false; // part of the last answer was older than what stood here

function keepDraft() {
  const now = layOffs();
  if (!now) laid = "";
  else if (now.value !== laid) ask("GET", `${url}draft/?lay=${laid}`);
}

/* What is sent. */

table.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.draft) {
    event.preventDefault();
    laid = form.elements.lay.value;
    // Asked by the table: an update may take the form away before the answer comes.
    ask("GET", form.dataset.draft, { values: Object.fromEntries(new FormData(form)) });
  }
  if (!form.hasAttribute("ws-send")) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  delete fields.csrfmiddlewaretoken; // a POST bears the token in its head
  if (pending || ended) return; // a second press is the same action
  byId("notice").textContent = byId("ack").dataset.key = "";
  if (isOpen() || byId("connection").dataset.state === "silent") show("");
  const button = event.submitter;
  button?.classList.add("sent");
  pending = { fields, button, tries: 0, timer: 0, risky: false };
  dispatch();
});

function dispatch() {
  clearTimeout(pending.timer);
  pending.tries += 1;
  pending.timer = setTimeout(again, ANSWER);
  // Offline, a socket may seem open for long, and would deliver when the line is back (fault 108).
  if (isOpen() && navigator.onLine) {
    pending.risky = true; // it may arrive even if no answer does
    socket.send(JSON.stringify(pending.fields));
  } else {
    ask("POST", url, { values: pending.fields });
  }
}

function again() {
  if (pending.tries < TRIES) dispatch();
  else settle("silent");
}

function settle(state) {
  clearTimeout(pending.timer);
  pending.button?.classList.remove("sent");
  const dialog = pending.button?.closest("[popover]"); // it would lie over a refusal
  dialog?.hidePopover();
  if (kept) kept.open = kept.open.filter((each) => each !== dialog);
  pending = null;
  if (state) show(state);
  table.dispatchEvent(new Event("table:settled"));
}

document.addEventListener("htmx:sendError", () => {
  const lost = pending && !pending.risky;
  if (lost) settle();
  show(lost || !navigator.onLine ? "offline" : "lost");
});

/* What an update must not lose: card, focus, open dialogs and what is chosen there. */

const chosenCard = () => table.querySelector(".hand li > input:checked");

function remember() {
  const focus = document.activeElement;
  kept = {
    round: byId("news").dataset.round,
    card: chosenCard()?.value,
    focus: table.contains(focus) ? focus : null,
    open: [...table.querySelectorAll(":popover-open")],
  };
  table.dispatchEvent(new Event("table:before"));
}

function restore() {
  if (!kept) return;
  const { round, card, focus, open } = kept;
  kept = null;
  const again = card && round === byId("news").dataset.round ? byId(`card-${card}`) : null;
  if (again) again.checked = true;
  for (const dialog of open) {
    const now = byId(dialog.id);
    if (!now || now === dialog) continue;
    now.showPopover();
    const choice = dialog.querySelector(":checked")?.value;
    for (const each of now.querySelectorAll("[type=radio]")) each.checked = each.value === choice;
  }
  if (!focus || focus.isConnected || table.querySelector(":popover-open")) return;
  const next =
    (focus.id && byId(focus.id)) || chosenCard() || table.querySelector(".new input") || byId("call");
  next.focus({ preventScroll: true });
}

/* Said once each, for those who listen: events politely, the own turn at once. */

let told = lastEvent();
let here = byId("opponent").dataset.told;
let call = byId("call").textContent;

function lastEvent() {
  const news = byId("news");
  return { round: news.dataset.round, event: Number(news.lastElementChild?.dataset.event ?? -1) };
}

function announce() {
  const news = byId("news");
  const since = news.dataset.round === told.round ? told.event : -1;
  const fresh = [...news.children].filter((each) => Number(each.dataset.event) > since);
  const words = fresh.map((each) => each.textContent);
  const opponent = byId("opponent").dataset.told;
  if (opponent !== here) words.push(opponent);
  const actions = byId("actions").dataset;
  document.title = actions.title;
  const isMine = "mine" in actions;
  const turned = isMine && !wasMine;
  const now = byId("call").textContent;
  if (isMine && wasMine && now !== call) words.push(now); // the turn goes on
  if (isMine !== wasMine) byId("called").textContent = isMine ? now : "";
  if (words.length) byId("told").textContent = words.join(" ");
  told = lastEvent();
  [here, call, wasMine] = [opponent, now, isMine];
  return { kinds: fresh.map((each) => each.dataset.kind), turned };
}

address.protocol = address.protocol.replace("http", "ws");
connect();
