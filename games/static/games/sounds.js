/* For who prefers it: the sounds of the table, made here. Cards slide, a knock is wood, a small bell
   calls. */

let context = null;
let quiet = null;
let hiss = null;

/* A browser is silent before the first gesture. */
function open() {
  context = new AudioContext();
  quiet = new GainNode(context, { gain: 0.35 });
  quiet.connect(context.destination);
  hiss = new AudioBuffer({ length: context.sampleRate, sampleRate: context.sampleRate });
  hiss.getChannelData(0).forEach((_, at, all) => (all[at] = Math.random() * 2 - 1));
}

addEventListener("pointerdown", () => context ?? open(), true);
addEventListener("keydown", () => context ?? open(), true);

/* Something that rises to its loudness at once, and fades. */
function fading(source, at, loud, time) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + time * 0.12);
  gain.gain.exponentialRampToValueAtTime(0.001, at + time);
  source.connect(gain).connect(quiet);
}

function slide(at, pitch, time, loud) {
  const noise = new AudioBufferSourceNode(context, { buffer: hiss });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.8 });
  filter.frequency.exponentialRampToValueAtTime(pitch * 1.8, at + time);
  noise.connect(filter);
  fading(filter, at, loud, time);
  noise.start(at, Math.random() * 0.5, time);
}

function tone(at, from, to, time, loud) {
  const wave = new OscillatorNode(context, { frequency: from });
  wave.frequency.setValueAtTime(from, at);
  wave.frequency.exponentialRampToValueAtTime(to, at + time);
  fading(wave, at, loud, time);
  wave.start(at);
  wave.stop(at + time);
}

function rap(at) {
  tone(at, 190, 85, 0.12, 0.9);
  slide(at, 700, 0.05, 0.5);
}

const SOUNDS = {
  dealt: (at) => [...Array(10).keys()].forEach((card) => slide(at + card * 0.05, 2600, 0.07, 0.3)),
  drew: (at) => slide(at, 1800, 0.16, 0.4),
  took: (at) => slide(at, 2300, 0.14, 0.4),
  discarded: (at) => {
    slide(at, 3200, 0.06, 0.5);
    tone(at + 0.03, 150, 90, 0.07, 0.35);
  },
  knocked: (at) => [0, 0.17].forEach((later) => rap(at + later)),
  laidoff: (at) => slide(at, 2600, 0.1, 0.4),
};

function bell(at) {
  tone(at, 660, 658, 0.5, 0.18);
  tone(at + 0.11, 988, 985, 0.7, 0.14);
}

/* What has happened last, and then the bell if it is the listener's turn. */
document.getElementById("table").addEventListener("table:after", ({ detail: { kinds, turned } }) => {
  if (!context) return;
  context.resume();
  const at = context.currentTime + 0.02;
  SOUNDS[kinds.at(-1)]?.(at);
  if (turned) bell(at + 0.25);
});

/* The own time grows short. */
document.getElementById("table").addEventListener("table:low", () => {
  if (!context) return;
  context.resume();
  for (const tick of [0, 0.35, 0.7]) tone(context.currentTime + 0.02 + tick, 1180, 1170, 0.09, 0.22);
});
