/* How a deck follows from a secret and the players' parts (docs/fair-deal.md), and the SHA-256 for it:
   the browser's own is there on secure pages only. */

const RANKS = "A23456789TJQK";
const SUITS = "CDHS";
const BLOCK = 64;

/* The first bits of the fractional parts of the roots of the first primes. */
const primes = [2];
for (let n = 3; primes.length < 64; n += 2) if (primes.every((prime) => n % prime)) primes.push(n);
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32);
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = primes.map((prime) => fraction(Math.cbrt(prime)));

const turned = (word, by) => (word >>> by) | (word << (32 - by));

export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8); // a message here is short
  const state = Uint32Array.from(START);
  for (let at = 0; at < padded.length; at += BLOCK) mix(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(4 * index, word));
  return new Uint8Array(digest.buffer);
}

function mix(state, view, at) {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15], words[i - 2]];
    words[i] =
      words[i - 16] + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
      words[i - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + words[i];
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] += word));
}

export function hmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

function joined(head, tail) {
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
}

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
export const fingerprint = (hex) => toHex(sha256(fromHex(hex)));

function* stream(secret, message) {
  for (let n = 0; ; n++) yield* hmac(secret, new TextEncoder().encode(`${message}|${n}`));
}

export function shuffledDeck(secret, message) {
  const deck = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const bytes = stream(fromHex(secret), message);
  for (let i = 51; i > 0; i--) {
    const limit = 256 - (256 % (i + 1));
    let byte = bytes.next().value;
    while (byte >= limit) byte = bytes.next().value;
    const j = byte % (i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}
