// Passkeys: says to allauth's script what it finds in the page, and to people what went wrong. Forms
// with a passkey stay hidden where this does not run.

const { forms } = window.allauth.webauthn;

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const credential = form.elements.credential;
  const passwordless = form.elements.passwordless;
  const button = "passkey-button";
  forms[form.dataset.passkey]({
    ids: {
      add: button,
      authenticate: button,
      login: button,
      credential: credential.id,
      passwordless: passwordless ? passwordless.id : undefined,
    },
    data: JSON.parse(form.dataset.options || "null"),
  });
  form.hidden = !window.PublicKeyCredential;
}

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  document.querySelector("[data-passkey-trouble]").hidden = false;
});
