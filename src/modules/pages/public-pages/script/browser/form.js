// Runs in the browser, on pages with a form. Without it, the form is an ordinary one.

const find = (selector, inside = form) => inside.querySelector(selector)
const form = find('[data-wm-form]', document)
const { url, isProofNeeded, texts } = JSON.parse(form.dataset.wmForm)
const page = document.documentElement.lang
const query = `?lang=${page}`
const message = find('[data-wm-message]')
const status = find('[data-wm-status]')
// Our own words may be in another language than the page.
const lang = status.lang || page
const fields = [...form.querySelectorAll('[data-wm-field]')]
const CONTROLS = 'input,select,textarea'

const fill = (text, name) => text.replace(/\{\w+\}/, name)
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
  if (!saved || message.innerText.trim()) return
  const [values, files] = JSON.parse(saved)
  for (const control of form.elements) {
    const own = values.filter(([name]) => name === control.name).map(([, value]) => value)
    if (/^(ch|ra)/.test(control.type)) control.checked = own.includes(control.value)
    else if (own.length) control.value = own[0]
  }
  for (const [name, token, fileName] of files) if (fieldOf(name)) keep(addRow(name), name, token, fileName)
  const discard = button(texts.discard, () => {
    delete localStorage[url]
    location.reload()
  })
  status.replaceChildren(texts.restored, ' ', discard)
}

// Problems are shown at their fields.

function show(field, text) {
  const control = find('fieldset', field) ?? find(CONTROLS, field)
  const { id } = find('[id]', field)
  find('[data-wm-error]', field)?.remove()
  control.ariaInvalid = text ? 'true' : null
  if (!text) return
  const problem = make('p', { className: 'problem', id: `${id}-e`, textContent: text, lang, dir: 'auto' })
  problem.dataset.wmError = ''
  find('.help,legend,label', field).after(problem)
  control.setAttribute('aria-describedby', `${id}-h ${id}-e`)
}

function say(problem, limit) {
  const text = texts.problems[problem]
  return fill(text[new Intl.PluralRules(lang).select(limit)] ?? text.other ?? text, limit)
}

/** What browsers find, the problem that it is, where its limit is, and the problem if it is a date. */
const RULES = [
  ['badInput', 'number', '', 'date'],
  ['valueMissing', 'required'],
  ['typeMismatch', 'email'],
  ['patternMismatch', 'pattern'],
  ['tooShort', 'too_short', 'minLength'],
  ['tooLong', 'too_long', 'maxLength'],
  ['rangeUnderflow', 'too_small', 'min', 'too_early'],
  ['rangeOverflow', 'too_large', 'max', 'too_late'],
  ['stepMismatch', 'step', 'step'],
]

/** Returns the first control with a problem. */
function check(field) {
  const wrong = [...field.querySelectorAll(CONTROLS)].find((control) => !control.validity.valid)
  const [, problem, limit, ofDate = problem] = wrong ? RULES.find(([rule]) => wrong.validity[rule]) : []
  show(field, wrong && say(wrong.type === 'date' ? ofDate : problem, wrong[limit]))
  return wrong
}

function warn(text) {
  message.innerHTML = '<div><p></p></div>'
  find('p', message).textContent = text
}

// Files are uploaded when they are chosen, one after another.

let uploads = Promise.resolve()

const listOf = (name) => find('[data-wm-received]', fieldOf(name))
const inputOf = (name) => find('[type=file]', fieldOf(name))

function addRow(name) {
  const row = make('li')
  listOf(name).append(row)
  return row
}

/** Shows a file with its preview, these parts and a button to remove it. */
function draw(row, name, fileName, onRemove, ...parts) {
  const remove = button(fill(texts.removeFile, fileName), () => {
    onRemove?.()
    row.remove()
    update(name)
    inputOf(name).focus()
  })
  row.replaceChildren(...row.querySelectorAll('img'), `${fileName} `, ...parts, remove)
  update(name)
}

/** A field that has a file is not empty. */
function update(name) {
  const input = inputOf(name)
  input.dataset.wmRequired ??= input.required ? 1 : ''
  input.required = input.dataset.wmRequired && !find('input', listOf(name))
  save()
}

function keep(row, name, token, fileName) {
  const hidden = make('input', { type: 'hidden', name: `_wm_file:${name}`, value: token })
  hidden.dataset.wmField = name
  hidden.dataset.wmName = fileName
  draw(row, name, fileName, null, hidden)
}

function upload(row, name, file) {
  const field = fieldOf(name)
  const bar = make('progress', { value: 0, ariaLabel: file.name })
  const request = new XMLHttpRequest()
  request.upload.onprogress = ({ loaded, total }) => {
    bar.value = loaded / total
  }
  draw(row, name, file.name, () => request.abort(), bar)
  uploads = uploads.then(async () => {
    if (!row.isConnected) return
    status.textContent = fill(texts.uploading, file.name).replace('{percent}', 0)
    const to = `${url}/files${query}&field=${name}&name=${encodeURIComponent(file.name)}`
    const [code, answer] = await post(to, file, request)
    status.textContent = ''
    if (!row.isConnected) return
    show(field, code === 200 ? '' : (answer.message ?? fill(texts.uploadFailed, file.name)))
    if (code === 200) keep(row, name, answer.token, answer.name)
    else
      draw(
        row,
        name,
        file.name,
        null,
        button(texts.retry, () => upload(row, name, file)),
      )
  })
}

function choose({ target: input }) {
  const { name, files, dataset } = input
  const chosen = [...files]
  const field = fieldOf(name)
  input.value = ''
  show(field)
  for (const file of chosen) {
    if (listOf(name).children.length >= dataset.wmFilesMax) show(field, say('too_many_files', dataset.wmFilesMax))
    else if (file.size > dataset.wmFiles * 2 ** 20) show(field, say('file_too_large', dataset.wmFiles))
    else {
      const row = addRow(name)
      if (/^image/.test(file.type)) row.append(make('img', { src: URL.createObjectURL(file), alt: '', width: 64 }))
      upload(row, name, file)
    }
  }
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

let isTouched = false
let isBusy = false
let tries = 0
let timer

function pause() {
  clearTimeout(timer)
  removeEventListener('online', retry)
}

const retry = () => send()

async function send(given) {
  pause()
  if (isBusy) return
  isBusy = true
  form.elements._wm_key.value ||= crypto.getRandomValues(new Uint32Array(4)).join('-')
  save()
  await uploads
  status.textContent = texts.sending
  const body = new URLSearchParams(typed())
  if (isTouched) body.set('_wm_touched', 1)
  const work = given ?? (isProofNeeded ? (await post(`${url}/challenge`))[1] : {})
  if (work.challenge) {
    status.textContent = texts.checking
    body.set('_wm_proof', await prove(work))
  }
  const [code, answer] = await post(url + query, body)
  status.textContent = ''
  isBusy = false
  if (code === 200) {
    delete localStorage[url]
    location.assign(answer.redirect)
    return
  }
  if (code === 428) return send(answer)
  for (const name in answer.errors) if (fieldOf(name)) show(fieldOf(name), answer.errors[name])
  warn(answer.message ?? (code ? texts.failed : texts.offline))
  find('[aria-invalid]:not(fieldset),[aria-invalid] input')?.focus()
  if (code && code < 500) return
  addEventListener('online', retry)
  timer = setTimeout(retry, Math.min(60, 2 ** ++tries) * 1000)
}

form.noValidate = true
form.onsubmit = (event) => {
  event.preventDefault()
  const wrong = fields.map(check).find(Boolean)
  if (!wrong) return send()
  warn(texts.invalid)
  wrong.focus()
}
form.oninput = () => {
  pause()
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
for (const input of form.querySelectorAll('[data-wm-files]')) input.onchange = choose
try {
  restore()
} catch {
  // Something else has changed what we stored.
}
