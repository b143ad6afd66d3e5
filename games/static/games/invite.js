/* While somebody waits for an opponent: the link is copied by one press. */

document.getElementById("table").addEventListener("click", ({ target }) => {
  if (target.dataset.copy) copyFrom(target);
});

async function copyFrom(button) {
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // where the page is not secure there is no clipboard
  }
  button.textContent = button.dataset.done;
}
