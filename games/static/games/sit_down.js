/* This browser's own part in the first deal: 32 random bytes, sent as one sits down. */

for (const field of document.querySelectorAll('input[name="part"]')) {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
