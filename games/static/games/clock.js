/* Times counted down by the server's clock: until the deal, what the players have left, and when who
   has gone can be said to have left. */

const LOW = 60; // seconds

const table = document.getElementById("table");
let skew = 0; // ms that the server's clock is ahead
let stamped = "";

function tick() {
  const { now } = document.getElementById("pulse").dataset;
  if (now && now !== stamped) [stamped, skew] = [now, Date.parse(now) - Date.now()];
  for (const time of table.querySelectorAll("#deal-at, time[data-clock]")) {
    const left = Math.max(0, Math.ceil((Date.parse(time.dateTime) - Date.now() - skew) / 1000));
    const clock = new Date(left * 1000).toISOString().slice(11, 19).replace(/^(00:)?0?/, "");
    const due = left ? undefined : time.dataset.due;
    const words = due ?? time.dataset.words?.replace("{time}", clock) ?? clock;
    if (time.textContent !== words) time.textContent = words;
    const face = time.closest(".clock");
    if (!face || left > LOW || face.classList.contains("low")) continue;
    face.classList.add("low");
    if (face.closest(".actions")) table.dispatchEvent(new Event("table:low"));
  }
}

table.addEventListener("table:after", tick);
setInterval(tick, 500);
tick();
