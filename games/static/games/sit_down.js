/* This browser's own part in the first deal: 32 random bytes, sent as one sits down. Where the page
   shows by which fingerprint the table will deal, the browser is a witness of it, as in parts.js. */

document.addEventListener(
  "submit",
  ({ target }) => {
    const field = target.elements.part;
    if (!field) return;
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const part = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const { table, seen } = field.dataset;
    field.value = part;
    if (!table || !seen) return;
    try {
      localStorage.setItem(`part ${table}`, JSON.stringify({ round: "0", part, seen }));
    } catch {}
  },
  true,
);
