/* The page of the preferences shows each choice at once; only Save keeps it. */

const form = document.getElementById("preferences");
const root = document.documentElement;

function show() {
  for (const [name, value] of new FormData(form)) {
    const attribute = `data-${name.replaceAll("_", "-")}`;
    if (root.hasAttribute(attribute)) root.setAttribute(attribute, value);
  }
}

form.addEventListener("change", show);
addEventListener("pageshow", show); // a browser may have kept what was chosen before
