/* Tells the server by whose clocks this browser goes; it shows times so, unless a preference says
   otherwise. */

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const cookie = `zone=${zone}`;
const isKept = () => document.cookie.split("; ").includes(cookie);

if (zone && !isKept()) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax${secure}`;
  // What was shown before the server knew is asked for once more.
  if (isKept() && document.querySelector("[data-zone]")) location.reload();
}
