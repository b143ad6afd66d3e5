/* Keeps the site's own files at hand, and shows an honest page where there is no line. It keeps only
   what it is told here: no page but that one, no fragment, no hand. */

const TOLD = {{ told|safe }};

const files = new Set(TOLD.files);

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(TOLD.cache).then((cache) => cache.addAll([TOLD.offline, ...TOLD.shell])));
});

addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  for (const name of await caches.keys()) if (name !== TOLD.cache) await caches.delete(name);
  await registration.navigationPreload?.enable();
}

addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || new URL(url).origin !== location.origin) return;
  if (mode === "navigate") event.respondWith(page(event));
  else if (files.has(new URL(url).pathname)) event.respondWith(file(event.request));
});

/* "Your turn", and what else the site has to say while nobody looks. It names no card. */
addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  const more = { body, tag, renotify: true, icon: TOLD.icon, badge: TOLD.badge, data: { url } };
  event.waitUntil(registration.showNotification(title, more));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data.url, location.origin)));
});

async function show({ pathname }) {
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = open.find(({ url }) => new URL(url).pathname === pathname);
  return there ? there.focus() : clients.openWindow(pathname);
}

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return caches.match(TOLD.offline);
  }
}

async function file(request) {
  const cache = await caches.open(TOLD.cache);
  const kept = await cache.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}
