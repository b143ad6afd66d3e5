/* For who prefers it: a discard is asked about before it is sent. */

const byId = (id) => document.getElementById(id);
const table = byId("table");
const box = byId("ask");
const formOf = (card) => table.querySelector(`[data-action="discard"][data-card="${card}"]`);
let asked = "";

table.addEventListener("submit", ask, true);

function ask(event) {
  const { action, card } = event.target.dataset;
  if (action !== "discard" || asked === card) return;
  event.preventDefault();
  event.stopPropagation();
  asked = card;
  byId("ask-card").replaceChildren(event.target.closest("li").querySelector(".face").cloneNode());
  box.showPopover();
}

box.addEventListener("click", ({ target }) => {
  const form = target.matches(".brass") ? formOf(asked) : null;
  form?.requestSubmit(form.querySelector("button"));
  if (target.matches(".button")) box.hidePopover();
});

box.addEventListener("toggle", ({ newState }) => {
  if (newState === "closed") asked = "";
});
