// Runs in the browser, on pages with texts to copy. Without it, one click on such a text selects the whole text.

/** Adds a button after the text. */
function addButton(source, { copy, copyText, copied }) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'plain'
  button.textContent = copy
  button.setAttribute(
    'aria-label',
    copyText.replace('{text}', () => source.textContent),
  )
  const status = document.createElement('span')
  status.setAttribute('role', 'status')
  button.addEventListener('click', async () => {
    for (const other of document.querySelectorAll('.copyable ~ [role=status]')) other.textContent = ''
    try {
      await navigator.clipboard.writeText(source.textContent)
      status.textContent = copied
    } catch {
      // The browser does not allow it. The person can copy what is selected.
      getSelection().selectAllChildren(source)
    }
  })
  source.after(button, status)
}

for (const list of navigator.clipboard === undefined ? [] : document.querySelectorAll('[data-copy]')) {
  for (const source of list.querySelectorAll('.copyable')) addButton(source, list.dataset)
}
