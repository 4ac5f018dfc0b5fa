// Runs in the browser, on the pages that ask for a passkey. Without it, these pages say that passkeys do not work here.

const isSupported = typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'

/** Asks the browser for a passkey, or for a new one, and sends the form with it. */
async function ask(area, form) {
  const problem = area.querySelector('[role=alert]')
  problem.textContent = ''
  try {
    const options = JSON.parse(area.dataset.options)
    const credential = area.hasAttribute('data-create')
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
    form.elements.credential.value = JSON.stringify(credential)
    form.submit()
  } catch {
    // The person has cancelled, or the device has no passkey for this site.
    problem.textContent = area.dataset.failed
  }
}

for (const area of isSupported ? document.querySelectorAll('[data-passkey]') : []) {
  const form = area.querySelector('form')
  area.querySelector('[data-unsupported]').hidden = true
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask(area, form)
  })
  if (area.hasAttribute('data-at-once')) ask(area, form)
}
