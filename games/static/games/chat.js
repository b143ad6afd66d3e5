/* The chat beside the table. The pulse tells that there are other lines; they are asked for, and put in
   one by one, so that nothing that is being typed or read moves. It knows no rule either. */

const byId = (id) => document.getElementById(id);
const box = byId("chat");
const url = `${byId("table").dataset.url}chat/`;
const button = makeButton("chat-button");
const close = makeButton("chat-close");
const tabs = makeTabs();
const counts = [button, tabs.firstElementChild].map((place) => {
  const count = document.createElement("span");
  count.className = "chat-count";
  count.hidden = true;
  place.append(count);
  return count;
});

/* Its style is fetched like this script, and kept out of the page. Until then a button would be a bare box. */
const style = new CSSStyleSheet();
document.adoptedStyleSheets.push(style);

async function dress() {
  try {
    const answer = await fetch(byId("table").dataset.chatStyle);
    await style.replace(await answer.text());
  } catch {
    setTimeout(dress, 3000); // the line is down
    return;
  }
  button.hidden = tabs.hidden = false;
  down(true);
  look(); // now it is known whether it can be seen
}

button.hidden = tabs.hidden = true;

const log = () => box.querySelector(".chat-scroll");

/* What the server has written for this script; a body that is still to be asked for says nothing. */
function words(name) {
  return byId("chat-body").dataset[name] ?? "";
}

const lines = () => [...box.querySelectorAll("li")];
const numberOf = (line) => Number(line.id.replace("line-", ""));
const READ = `chat ${url}`;

let shown = words("mark"); // the mark of the lines that stand here
let asked = 0; // requests so far
let taken = 0; // the latest of them whose answer stands here
let read = kept(); // the last line that was seen
let known = read; // the last line that was told

function makeButton(name) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", id: name, className: name, popoverTargetElement: box });
  return made;
}

/* Beside the table the chat shares its place with the rounds. */
function makeTabs() {
  const made = document.createElement("div");
  made.className = "panel-tabs";
  const isQuiet = byId("pulse").dataset.chat?.endsWith("-0") ?? true;
  for (const [part, isChosen] of [[box, !isQuiet], [byId("rounds"), isQuiet]]) {
    const radio = document.createElement("input");
    Object.assign(radio, { type: "radio", name: "panel", id: `tab-${part.id}`, className: "unseen", checked: isChosen });
    const label = document.createElement("label");
    label.append(radio, part.getAttribute("aria-label"));
    made.append(label);
  }
  box.before(made);
  return made;
}

function kept(value) {
  try {
    if (value) localStorage.setItem(READ, value);
    return Number(localStorage.getItem(READ) ?? 0);
  } catch {
    return value ?? 0; // this browser keeps nothing
  }
}

/* What is to be read. */

function look() {
  const now = byId("pulse").dataset.chat ?? "";
  const isWanted = shown || isSeen() || !now.endsWith("-0"); // an empty chat is asked for when it is opened
  if (now && now !== shown && isWanted) send(url);
}

async function send(path, body) {
  const number = ++asked;
  const token = body?.get("csrfmiddlewaretoken");
  const headers = { "HX-Request": "true", ...(token && { "X-CSRFToken": token }) };
  let answer = null;
  let text = "";
  try {
    answer = await fetch(path, { method: body ? "POST" : "GET", body, headers, credentials: "same-origin" });
    text = await answer.text();
  } catch {
    // The line is down: the next look asks again.
  }
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("chat-body");
  if (!fresh) {
    if (body && byId("chat-notice")) byId("chat-notice").textContent = words("lost");
    return null;
  }
  if (answer.ok && body) nextKeys(fresh);
  if (number < taken) return answer;
  taken = number;
  take(fresh, answer.ok && Boolean(body));
  return answer;
}

function nextKeys(fresh) {
  for (const form of ["say", "phrases"]) {
    const [now, next] = [box, fresh].map((part) => part.querySelector(`.chat-${form} [name=key]`));
    if (now && next) now.value = next.value;
  }
}

/* A line that stands here already stays what it is; one that is gone goes. */
function take(fresh, isAnswer) {
  const body = byId("chat-body");
  shown = fresh.dataset.mark;
  if (body.dataset.state !== fresh.dataset.state) {
    const typed = byId("chat-text")?.value;
    body.replaceWith(fresh);
    if (typed && byId("chat-text")) byId("chat-text").value = typed;
    down(true);
  } else {
    const isLow = atEnd();
    for (const list of fresh.querySelectorAll("ol")) merge(byId(list.id), list);
    const notice = byId("chat-notice");
    const words = fresh.querySelector("#chat-notice")?.textContent;
    if (notice && (isAnswer || words)) notice.textContent = words ?? "";
    down(isLow);
  }
  readable();
}

function merge(list, fresh) {
  const stay = new Set([...fresh.children].map((line) => line.id));
  for (const line of [...list.children]) if (!stay.has(line.id)) line.remove();
  for (const line of [...fresh.children]) {
    if (byId(line.id)) continue;
    // Of somebody who is unblocked older ones come back.
    const next = [...list.children].find((each) => numberOf(each) > numberOf(line));
    list.insertBefore(line, next ?? null);
  }
}

/* In the reader's own time. */
function readable() {
  for (const time of box.querySelectorAll("time:not([title])")) {
    const at = new Date(time.dateTime);
    time.title = at.toLocaleString();
    time.textContent = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    if (at.toDateString() !== new Date().toDateString()) {
      time.textContent = `${at.toLocaleDateString([], { day: "numeric", month: "short" })}, ${time.textContent}`;
    }
  }
  count();
}

const atEnd = () => !log() || log().scrollHeight - log().scrollTop - log().clientHeight < 40;

function down(isWanted) {
  if (isWanted && log()) log().scrollTop = log().scrollHeight;
}

const isSeen = () => box.checkVisibility() && document.visibilityState !== "hidden";

function count() {
  close.setAttribute("aria-label", words("close"));
  const others = lines().filter((line) => !line.classList.contains("own"));
  const last = Math.max(0, ...lines().map(numberOf));
  if (isSeen() && last > read) read = kept(last);
  const fresh = others.filter((line) => numberOf(line) > read);
  const news = fresh.filter((line) => numberOf(line) > known);
  known = Math.max(known, last);
  for (const each of counts) {
    each.hidden = !fresh.length;
    each.textContent = fresh.length || "";
  }
  const label = words(fresh.length ? "fresh" : "words").replace("{count}", fresh.length);
  if (label) button.setAttribute("aria-label", label);
  // A log that can be seen is read out by itself.
  if (news.length && !isSeen()) {
    const [who, said] = [".speaker", ".said"].map((part) => news.at(-1).querySelector(part).textContent);
    byId("told").textContent = `${who}: ${said}`;
  }
}

/* What is said. The same words with the same key count once; the key stays until the server has them. */

let sending = false;

box.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sending) return;
  sending = true;
  const form = event.target;
  const isLine = form.matches(".chat-say");
  const field = isLine ? byId("chat-text") : null;
  const typed = field?.value;
  const answer = await send(form.action, new FormData(form, event.submitter));
  sending = false;
  if (!answer?.ok) return;
  if (field && field.value === typed) field.value = "";
  if (!form.matches(".chat-switch")) down(true);
});

box.addEventListener("toggle", () => {
  look();
  down(true);
  count();
});
tabs.addEventListener("change", () => {
  look();
  down(true);
  count();
});
document.addEventListener("visibilitychange", count);
byId("table").addEventListener("table:after", look);
addEventListener("online", look);

button.setAttribute("aria-label", box.getAttribute("aria-label"));
button.append(counts[0]);
document.querySelector(".menu-button").before(button);
close.textContent = "✕";
box.popover = "auto";
box.prepend(close);
readable();
look();
dress();
