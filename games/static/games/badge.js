/* How many series wait for the player, in the title and the icon of every open page (fault 80). The
   server alone knows; one page asks it and tells the others of this browser. */

const EVERY = 20_000; // ms

const icon = document.querySelector("link[data-waiting]");
const plain = icon.getAttribute("href");
const table = document.getElementById("table"); // its title says whose turn it is there
const pages = new BroadcastChannel("waiting");
let asked = 0;
const list = document.querySelector("[data-turns]");
// The page may be older than the first answer.
let shown = sorted([...(list?.querySelectorAll("a.mine") ?? [])].map((row) => row.pathname.split("/")[2]));

function sorted(series) {
  return [...series].sort().join();
}

async function ask() {
  asked = Date.now();
  if (!navigator.onLine) return;
  const answer = await fetch(icon.dataset.waiting).catch(() => null);
  // Who is shut out is led elsewhere.
  if (!answer?.ok || answer.redirected) return;
  const { series } = await answer.json();
  pages.postMessage(series);
  show(series);
}

function show(series) {
  const count = series.length;
  icon.href = count ? icon.dataset.turn : plain;
  if (!table) document.title = (count ? `(${count}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  (count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => {});
  const now = sorted(series);
  if (shown !== now) renew();
  shown = now;
}

/* The list of the player's series, where a page has it. */
async function renew() {
  const answer = list && (await fetch(location.href).catch(() => null));
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focus = list.contains(document.activeElement) && document.activeElement.getAttribute("href");
  list.replaceChildren(...(page.querySelector("[data-turns]")?.childNodes ?? []));
  if (focus) list.querySelector(`a[href="${focus}"]`)?.focus();
}

pages.onmessage = ({ data }) => {
  asked = Date.now();
  show(data);
};

const isMine = () => "mine" in document.getElementById("actions").dataset;
let wasMine = table && isMine();
table?.addEventListener("table:after", () => {
  if (isMine() !== wasMine) ask();
  wasMine = isMine();
});

const look = () => document.visibilityState === "visible" && Date.now() - asked > 1_000 && ask();
document.addEventListener("visibilitychange", look);
addEventListener("pageshow", (event) => event.persisted && look());
setInterval(() => Date.now() - asked > EVERY && ask(), 2_000);
ask();
