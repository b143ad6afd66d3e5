/* This browser's own part in the deal: 32 random bytes. Their fingerprint goes out with the press of
   Next round, and they themselves when the server asks for them. A part is kept for a deal, not for a
   page: after a reload, or in another tab, it is the same. */

const TRIES = 5; // of telling one part; the page asks again with every update

const table = document.getElementById("table");
const name = `part ${table.dataset.url}`;
const { fingerprint, toHex } = await import(table.dataset.deal);
const tries = new Map();
const panel = () => table.querySelector(".deal details");
let kept = {};

/* Another tab may have stored one since this page was opened; where nothing may be stored, the page
   remembers its own. */
function recall() {
  try {
    kept = JSON.parse(localStorage.getItem(name)) ?? kept;
  } catch {}
}

/* What is kept is that of one deal, with the fingerprint that was shown before it. */
function partFor(round) {
  recall();
  if (kept.round !== round) {
    const part = toHex(crypto.getRandomValues(new Uint8Array(32)));
    kept = { round, part, seen: panel().dataset.next };
  }
  try {
    localStorage.setItem(name, JSON.stringify(kept));
  } catch {}
  return kept.part;
}

/* Before the form is read. */
table.addEventListener(
  "submit",
  ({ target }) => {
    if (target.dataset.action !== "next-round") return;
    const { round, promise, part } = target.elements;
    const own = partFor(round.value);
    if (promise) promise.value = fingerprint(own);
    else part.value = own;
  },
  true,
);

function tell() {
  const form = table.querySelector('[data-action="part"]');
  if (!form) return;
  const { round, part } = form.elements;
  const { promise } = part.dataset;
  const own = partFor(round.value);
  const tried = tries.get(round.value) ?? 0;
  if (tried === TRIES || (promise && fingerprint(own) !== promise)) return;
  tries.set(round.value, tried + 1);
  part.value = own;
  form.requestSubmit();
}

/* This browser is a witness of the fingerprint, and of its own part; another device of the same player
   may have given theirs. */
function witness() {
  recall();
  const line = document.getElementById("witness");
  if (!line || !kept.seen || Number(kept.round) + 1 !== Number(line.dataset.round)) return;
  const { commitment, part } = line.dataset;
  line.querySelector(".ok").hidden = kept.seen !== commitment || kept.part !== part;
  line.querySelector(".wrong").hidden = kept.seen === commitment;
}

/* Who reads in the panel goes on reading. */
let isOpen = false;
table.addEventListener("table:before", () => (isOpen = panel().open));
table.addEventListener("table:after", () => {
  panel().open = isOpen;
  witness();
});

for (const type of ["table:after", "table:settled"]) table.addEventListener(type, tell);
witness();
tell();
