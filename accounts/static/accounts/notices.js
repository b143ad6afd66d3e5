/* Lets somebody be told in this browser, and shows where they are. What can't be, is said. */

const push = document.getElementById("push");
const form = push.querySelector("form");
const all = [...document.querySelectorAll("[data-endpoint]")];
const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function show(state) {
  for (const part of push.querySelectorAll("[data-for]")) {
    // After a failure it can be tried again.
    part.hidden = part.dataset.for !== state && !(state === "failed" && part === form);
  }
}

/* The site may have had another key when this browser was asked. */
function isOurs({ options }) {
  const key = String.fromCharCode(...new Uint8Array(options.applicationServerKey));
  return btoa(key).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === push.dataset.key;
}

async function look() {
  if (!isSecureContext) return show("insecure");
  if (!can) return show("unable");
  if (Notification.permission === "denied") return show("denied");
  const worker = await navigator.serviceWorker.register("/sw.js");
  const here = await worker.pushManager.getSubscription();
  const item = here && isOurs(here) && all.find(({ dataset }) => dataset.endpoint === here.endpoint);
  if (item) {
    item.querySelector(".badge").hidden = false;
    await keep(here); // it may have been another log in that ends with it
  } else await here?.unsubscribe(); // it was removed from elsewhere
  show(item ? "on" : "off");
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return look();
  const worker = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: push.dataset.key };
  await keep(await worker.pushManager.subscribe(options));
  location.reload();
}

/* Tell the site that this browser is told while this log in lasts. */
async function keep(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const body = new FormData(form);
  body.set("endpoint", endpoint);
  body.set("browser_key", keys.p256dh);
  body.set("browser_secret", keys.auth);
  const answer = await fetch(form.action, { method: "POST", body });
  if (!answer.ok) throw new Error(answer.statusText);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  subscribe().catch(() => show("failed"));
});

look().catch(() => show("unable"));
