/* Times in the zone of who reads. Without it they stand there in UTC, and say so. */

const language = document.documentElement.lang || undefined;
const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const hour = new Intl.DateTimeFormat(language, { timeStyle: "short" });

function tell() {
  for (const time of document.querySelectorAll("time[data-local]")) {
    const then = new Date(time.dateTime);
    const isToday = day.format(then) === day.format(new Date());
    time.textContent = isToday ? hour.format(then) : `${day.format(then)}, ${hour.format(then)}`;
    time.removeAttribute("data-local");
  }
}

new MutationObserver(tell).observe(document.body, { childList: true, subtree: true });
tell();
