// Runs in the browser, on pages with a form. Without it, the form is an ordinary one.

const find = (selector, inside = form) => inside.querySelector(selector)
const form = find('[data-wm-send]', document)
const { url, isProofNeeded, texts } = JSON.parse(form.dataset.wmSend)
const page = document.documentElement.lang
const query = `?lang=${page}`
const summary = find('[data-wm-message]')
const status = find('[data-wm-status]')
// Our own words may be in another language than the page.
const lang = status.lang || page
const fields = [...form.querySelectorAll('[data-wm-field]')]
const CONTROLS = 'input,select,textarea'

const make = (tag, properties) => Object.assign(document.createElement(tag), properties)
const button = (textContent, onclick) => make('button', { type: 'button', textContent, onclick })
const fieldOf = (name) => fields.find((field) => field.dataset.wmField === name)
const typed = () => [...new FormData(form)].filter(([name, value]) => value.trim && name !== '_wm_proof')

// What was typed stays in the browser until it is sent.

function save() {
  const files = [...form.querySelectorAll('[data-wm-name]')].map(({ dataset, value }) => [
    dataset.wmField,
    value,
    dataset.wmName,
  ])
  try {
    localStorage[url] = JSON.stringify([typed().filter(([name]) => !/^_wm_[^k]/.test(name)), files])
  } catch {
    // The browser stores nothing. The form works without it.
  }
}

function restore() {
  const saved = localStorage[url]
  if (!saved || summary.innerText.trim()) return
  const [values, files] = JSON.parse(saved)
  for (const control of form.elements) {
    const own = values.filter(([name]) => name === control.name).map(([, value]) => value)
    if (/^(ch|ra)/.test(control.type)) control.checked = own.includes(control.value)
    else if (own.length) control.value = own[0]
  }
  for (const [name, token, fileName] of files) if (fieldOf(name)) keep(addRow(name, fileName), name, token, fileName)
  const discard = button(texts.discard, () => {
    delete localStorage[url]
    location.reload()
  })
  status.replaceChildren(texts.restored, ' ', discard)
}

// Problems are shown at their fields, and again in a summary.

/** What is wrong, by field. */
const wrong = new Map()
for (const { parentNode, textContent } of form.querySelectorAll('.on')) wrong.set(parentNode.parentNode, textContent)

/** Without a text, the field is right. */
function show(field, text) {
  if (text) wrong.set(field, text)
  else wrong.delete(field)
  const control = find('fieldset', field) ?? find(CONTROLS, field)
  control.ariaInvalid = text ? 'true' : null
  const lines = find('[data-wm-says]', field)
  const isThere = [...field.querySelectorAll('p')].some(({ textContent }) => textContent === text)
  if (text && !isThere) lines.append(make('p', { textContent: text }))
  for (const line of lines.children) line.className = line.textContent === text ? 'on' : ''
  if (find('ul', summary)) summarise()
}

/** Lists the fields that are wrong. It keeps its room when they are right, so that nothing moves under a finger. */
function summarise() {
  const items = fields
    .filter((field) => wrong.has(field))
    .map((field) => {
      const label = find('legend,label', field).textContent.replace(/ \*$/, '')
      const link = make('a', { href: `#${find(CONTROLS, field).id}`, dir: 'auto', textContent: `${label}: ` })
      link.append(make('span', { textContent: wrong.get(field), lang, dir: 'auto' }))
      const item = make('li')
      item.append(link)
      return item
    })
  find('ul', summary).replaceChildren(...items)
  summary.firstChild.hidden = !items.length
  summary.style.minBlockSize ||= `${summary.offsetHeight}px`
}

function closeSummary() {
  summary.replaceChildren()
  summary.style.minBlockSize = ''
}

function refuse() {
  tell(texts.notSent)
  closeSummary()
  summary.innerHTML = '<div><p></p><ul></ul></div>'
  find('p', summary).textContent = texts.invalid
  Object.assign(find('ul', summary), { lang: page, dir: document.dir })
  summarise()
  summary.focus()
}

/** What browsers find, the problem that it is, and the problem if it is a date. */
const RULES = [
  ['badInput', 'number', 'date'],
  ['valueMissing', 'required'],
  ['typeMismatch', 'email'],
  ['patternMismatch', 'pattern'],
  ['tooShort', 'too_short'],
  ['rangeUnderflow', 'too_small', 'too_early'],
  ['rangeOverflow', 'too_large', 'too_late'],
  ['stepMismatch', 'step'],
]

/** Returns whether the field is wrong. */
function check(field) {
  const control = [...field.querySelectorAll(CONTROLS)].find(({ validity }) => !validity.valid)
  const [, problem, ofDate = problem] = RULES.find(([rule]) => control?.validity[rule]) ?? []
  const line = find(`[data-problem=${control?.type === 'date' ? ofDate : problem}]`, field)
  show(field, line?.textContent ?? control?.validationMessage)
  return control
}

/** Refuses a form of which we know that it is wrong. */
function isRefused() {
  if (!fields.filter(check).length) return false
  refuse()
  return true
}

// The form is sent in the background, and again if that fails.

const post = (to, body, request = new XMLHttpRequest()) =>
  new Promise((resolve) => {
    request.onloadend = () => resolve([request.status, request.response ?? {}])
    request.open(body ? 'POST' : 'GET', to)
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.send(body)
  })

/** Says below the button what happens to the form, and keeps it in view, unless somebody is typing. */
function tell(text) {
  // The same text again would be read aloud again.
  if (status.textContent === text) return
  const isInView = status.getBoundingClientRect().bottom <= innerHeight
  status.textContent = text
  if (isInView && text !== texts.changed) status.scrollIntoView({ block: 'nearest' })
}

let isTouched = false
let isBusy = false
let tries = 0
let timer

/** Returns whether the form would have been sent by itself. */
function pause() {
  const wasWaiting = timer
  clearTimeout(timer)
  removeEventListener('online', retry)
  timer = undefined
  return wasWaiting
}

const retry = () => send()

/** Says why it was not sent. What may work later is tried again. */
function fail(code, { errors, message }) {
  isBusy = false
  const known = Object.keys(errors ?? {}).filter(fieldOf)
  for (const name of known) show(fieldOf(name), errors[name])
  if (known.length) return refuse()
  if (code && code < 500) return tell(message ?? texts.failed)
  tell(code || navigator.onLine ? texts.retrying : texts.offline)
  addEventListener('online', retry)
  timer = setTimeout(send, Math.min(60, 2 ** ++tries) * 1000, {}, true)
}

/** `given` is work to do first. What happens in the background says nothing before it has ended. */
async function send(given = {}, isInBackground = false) {
  pause()
  if (isBusy) return
  isBusy = true
  const say = (text) => isInBackground || tell(text)
  form.elements._wm_key.value ||= crypto.getRandomValues(new Uint32Array(4)).join('-')
  save()
  say(lost.size || find('progress') ? texts.files.waiting : texts.sending)
  const lostBy = await finishUploads()
  if (lostBy !== undefined) return fail(lostBy, {})
  if (isRefused()) {
    isBusy = false
    return
  }
  say(texts.sending)
  const body = new URLSearchParams(typed())
  if (isTouched) body.set('_wm_touched', 1)
  const work = isProofNeeded && !given.challenge ? (await post(`${url}/challenge`))[1] : given
  if (work.challenge) {
    say(texts.checking)
    body.set('_wm_proof', await prove(work))
  }
  const [code, answer] = await post(url + query, body)
  if (answer.sent) {
    tell(texts.sent)
    location.assign(answer.redirect)
    delete localStorage[url]
    return
  }
  if (code !== 428) return fail(code === 200 ? 0 : code, answer)
  isBusy = false
  return send(answer, isInBackground)
}

form.noValidate = true
form.classList.add('scripted')
form.onsubmit = (event) => {
  event.preventDefault()
  if (isBusy || isRefused()) return
  closeSummary()
  send()
  status.scrollIntoView({ block: 'nearest' })
}
form.oninput = ({ target }) => {
  if (pause()) tell(texts.changed)
  const field = target.closest('[data-wm-field]')
  if (wrong.has(field)) check(field)
  save()
}
form.addEventListener('focusout', ({ target, relatedTarget }) => {
  const field = target.closest('[data-wm-field]')
  if (field && target.value && target.type !== 'file' && !field.contains(relatedTarget)) check(field)
})
for (const type of ['focusin', 'pointerdown', 'keydown']) {
  form.addEventListener(type, () => {
    isTouched = true
  })
}
for (const input of form.querySelectorAll('[type=file]')) input.onchange = choose
try {
  restore()
} catch {
  // Something else has changed what we stored.
}
