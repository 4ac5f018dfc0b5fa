// Runs in the browser: in the chat, and in the frame of the widget. Without it, the chat is made of ordinary forms.

const find = (selector, inside = document) => inside.querySelector(selector)
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}
const fill = (text, value) => text.replace(/\{\w+\}/, value)
const { lang } = document.documentElement
const RETRY_MS_MAX = 30000
const TYPING_MS = 6000

/** What the page tells the script. */
let data
let texts

// The browser keeps what was typed, and what was not sent yet. In the frame it also keeps what would be in cookies.

const forgotten = {}

function kept(name) {
  try {
    return localStorage[`${data.url} ${name}`]
  } catch {
    return forgotten[name]
  }
}

function keep(name, value) {
  forgotten[name] = value
  try {
    if (value) localStorage[`${data.url} ${name}`] = value
    else delete localStorage[`${data.url} ${name}`]
  } catch {
    // The browser stores nothing. It is kept until the page is closed.
  }
}

// Requests. The frame sends no cookies.

function request(path, { headers, ...options } = {}) {
  const own = data.isFrame
    ? { 'x-chat-frame': '1', 'x-chat-token': kept('token') ?? '', 'x-chat-pass': kept('pass') ?? '' }
    : {}
  return window.fetch(`${data.url}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`, {
    credentials: data.isFrame ? 'omit' : 'same-origin',
    cache: 'no-store',
    headers: { accept: 'application/json', ...own, ...headers },
    ...options,
  })
}

const post = (path, fields, headers) => request(path, { method: 'POST', body: new URLSearchParams(fields), headers })

const STREAM = { accept: 'text/event-stream' }

/** Resolves when the stream ends, and rejects when the connection is lost. */
async function readStream({ body }) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; ; ) {
    const { value, done } = await reader.read()
    if (done) return
    const events = (rest + value).split('\n\n')
    rest = events.pop()
    for (const text of events) {
      const event = Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/s)))
      if (event.event) receive[event.event]?.(JSON.parse(event.data))
    }
  }
}

/** Waits, but not longer than until the connection is back or somebody looks at the page. */
const pause = (ms) =>
  new Promise((resolve) => {
    const stop = new AbortController()
    const go = () => {
      stop.abort()
      resolve()
    }
    setTimeout(go, ms)
    addEventListener('online', go, stop)
    document.addEventListener('visibilitychange', () => document.hidden || go(), stop)
  })

const backOff = (tries) => pause(Math.min(RETRY_MS_MAX, 500 * 2 ** tries) * (0.5 + Math.random()))

// What arrives.

/** The id of the last message that we have. */
let last
let status
/** The question that waits for its answer. */
let unanswered
let written = ''
let typingTimer
let outcome

const receive = {
  token: (token) => keep('token', token),

  message({ id, role, html }) {
    const own = role === 'user'
    if (!find(`#m-${id}`)) {
      const pending = find('[data-pending]')
      const shown = withoutFiles(html)
      if (own && pending) pending.outerHTML = shown
      else if (pending) pending.insertAdjacentHTML('beforebegin', shown)
      else find('[data-messages]').insertAdjacentHTML('beforeend', shown)
      showFiles()
      find('[data-suggestions]')?.remove()
      if (!own) {
        write('')
        hideTyping()
        markRead()
        tellHost('message')
      }
      show(find(`#m-${id}`))
    }
    if (!last || id > last) last = id
    if (own) unanswered = id
    else if (role === 'assistant') unanswered = undefined
    if (!own) offerAgain()
  },

  /** `from` is where the text belongs: a page may get it twice. */
  delta({ from, text }) {
    write(written.slice(0, from) + text)
  },

  state(state) {
    if (state.status) {
      setState(state)
      listen()
    }
    if (state.read_at) showReadUntil(state.read_at)
    if (state.typing) showTyping(texts.agentWriting, TYPING_MS)
    if (state.answering) showTyping(texts.writing)
    else if (state.answering === null) {
      if (unanswered === undefined || state.failed) write('')
      hideTyping()
    }
    if (state.failed) offerAgain(texts.noAnswer)
  },

  end: (ended) => {
    outcome = ended.outcome
  },
}

/** Code is left as it is. */
const toPlain = (text) =>
  text
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]+`)/)
    .map((part, n) =>
      n % 2 ? part : part.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\*\*|^(#+|>) |\\(?=\W)/gm, ''),
    )
    .join('')

/** Shows the answer as far as it is written. Its Markdown is rendered at the end. */
function write(text) {
  written = text
  const bubble = find('[data-writing]')
  if (!text) {
    bubble?.remove()
    return
  }
  hideTyping()
  const plain = toPlain(text)
  if (bubble) find('p', bubble).textContent = plain
  else {
    const element = make(
      'div',
      { className: 'message chatbot', ariaHidden: 'true' },
      make('div', { className: 'bubble' }, make('p', { className: 'written', dir: 'auto', textContent: plain })),
    )
    element.dataset.writing = ''
    find('[data-typing]').before(element)
  }
  show(find('[data-writing]'))
}

function showTyping(text, ms) {
  if (written && !ms) return
  find('[data-typing-text]').textContent = text
  find('[data-typing]').hidden = false
  clearTimeout(typingTimer)
  if (ms) typingTimer = setTimeout(hideTyping, ms)
  show(find('[data-typing]'))
}

function hideTyping() {
  find('[data-typing]').hidden = true
}

/** The top of a long text, and otherwise the end of the conversation. */
function show(element) {
  const log = find('[data-log]')
  if (element.offsetHeight > log.clientHeight) element.scrollIntoView({ block: 'start' })
  else log.scrollTop = log.scrollHeight
}

/** A keyboard or a notice takes room from the log. What was at its end is still there then. */
function stayAtEnd(log) {
  const end = () => {
    log.scrollTop = log.scrollHeight
  }
  let isAtEnd = Boolean(last)
  log.onscroll = () => {
    isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80
  }
  new ResizeObserver(() => isAtEnd && end()).observe(log)
  if (last) end()
}

function setState(state) {
  if (!status) tellTabs()
  status = state.status
  if (status !== 'bot_active') {
    unanswered = undefined
    write('')
    offerAgain()
  }
  find('[data-state]').textContent = state.text
  const isWithPerson = status === 'agent_requested' || status === 'open'
  const person = find('[data-person-form]')
  if (person) person.hidden = isWithPerson
  for (const { parentElement } of document.querySelectorAll('[data-person]')) parentElement.hidden = isWithPerson
  const address = find('[data-address]')
  const template = find('[data-address-template]')
  if (!state.needs_address) address?.remove()
  else if (!address) template?.before(template.content.cloneNode(true))
  if (isWithPerson) markRead()
}

/** A mark at the visitor's last message that an agent has read. */
function showReadUntil(time) {
  find('[data-read]')?.remove()
  const read = [...document.querySelectorAll('[data-role=user]')].findLast(({ dataset }) => dataset.at <= time)
  if (!read) return
  const mark = make('p', { className: 'mark', textContent: texts.read })
  mark.dataset.read = ''
  read.append(mark)
}

function markRead() {
  if (!document.hidden && (status === 'open' || status === 'agent_requested')) {
    post('/signals', { signal: 'read' }).catch(() => {})
  }
}

// The stream of the conversation is open as long as the page is. A tab that was opened before it began gets to know of it.

const BEGAN = 'began'
const tellTabs = () => keep(BEGAN, `${Math.random()}`)

addEventListener('storage', ({ key, newValue }) => {
  if (newValue && key === `${data.url} ${BEGAN}` && data.page === 'chat') listen()
})

let isListening = false

async function listen() {
  if (isListening) return
  isListening = true
  for (let tries = 0; ; tries++) {
    try {
      const response = await request(`/events?after=${last ?? ''}`, { headers: STREAM })
      if (response.ok) {
        setOffline(false)
        tries = 0
        await readStream(response)
      } else if (response.status < 429) break
    } catch {
      setOffline(!navigator.onLine)
    }
    // It is often back before anybody notices.
    if (tries > 1 && navigator.onLine) setOffline(true, texts.lost)
    await backOff(tries)
  }
  isListening = false
}

function setOffline(isOffline, text = texts.offline) {
  const notice = find('[data-offline]')
  if (!notice) return
  notice.hidden = !isOffline
  notice.textContent = text
}

// The frame has no cookies. So the browser cannot load files that need the password, but the script can.

const isGuarded = () => data.isFrame && kept('pass')

const withoutFiles = (html) => (isGuarded() ? html.replace(/ src="(?=\/c\/)/g, ' data-src="') : html)

async function fetchFile(path) {
  const response = await request(path.slice(data.url.length))
  if (!response.ok) throw new Error(`${response.status}`)
  return URL.createObjectURL(await response.blob())
}

async function showFiles() {
  for (const image of document.querySelectorAll('img[data-src]')) {
    const { src } = image.dataset
    delete image.dataset.src
    image.src = await fetchFile(src).catch(() => '')
  }
}

async function saveFile(link) {
  const href = await fetchFile(link.getAttribute('href')).catch(() => '')
  const name = find('img', link)?.alt ?? link.textContent
  if (href) make('a', { href, download: name }).click()
}

// Messages are sent in order. One that cannot be sent waits, and is sent again with the same key: it arrives once.

let outbox = []
let isSending = false

function saveOutbox() {
  keep('outbox', outbox.length ? JSON.stringify(outbox) : '')
}

function addPending({ key, text, files }) {
  const bubble = make('div', { className: 'bubble' })
  if (text) bubble.append(make('p', { className: 'written', dir: 'auto', textContent: text }))
  for (const [, name] of files) bubble.append(make('p', { className: 'file', textContent: name }))
  const message = make('article', { className: 'message visitor unsent' }, bubble)
  message.dataset.pending = key
  find('[data-messages]').append(message)
  find('[data-suggestions]')?.remove()
  show(message)
}

const pendingOf = (key) => find(`[data-pending="${key}"]`)

function send(text, files) {
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-').padEnd(16, '-')
  const item = { key, text, files }
  outbox.push(item)
  saveOutbox()
  addPending(item)
  sendAll()
}

async function sendAll() {
  if (isSending) return
  isSending = true
  for (let tries = 0; outbox.length; tries++) {
    const item = outbox[0]
    const sent = await deliver(item)
    if (sent) {
      outbox.shift()
      saveOutbox()
      tries = 0
      continue
    }
    const pending = pendingOf(item.key)
    if (pending && !find('.mark', pending)) {
      pending.append(make('p', { className: 'mark', textContent: texts.unsent }))
    }
    setOffline(!navigator.onLine)
    await backOff(tries)
  }
  isSending = false
}

/** While a chatbot gets very many questions, the browser has to do some work before one is answered. */
async function postQuestion(fields) {
  const path = `/messages?after=${last ?? ''}`
  const response = await post(path, fields, STREAM)
  if (response.status !== 428) return response
  showTyping(texts.writing)
  return post(path, [...fields, ['_wm_proof', await prove(await response.json())]], STREAM)
}

/** Returns false for a message that must be sent again. */
async function deliver({ key, text, files }) {
  const fields = [['key', key], ['text', text], ...files.map(([token]) => ['_wm_file:files', token])]
  let response
  try {
    response = await postQuestion(fields)
  } catch {
    return false
  }
  setOffline(false)
  if (response.ok) {
    say('')
    follow(response)
    return true
  }
  const { message } = await response.json().catch(() => ({}))
  say(message ?? texts.failed)
  if (response.status >= 429) return false
  // Typing it again would be annoying.
  pendingOf(key)?.remove()
  const field = find('[data-text]')
  if (!field.value) field.value = text
  return true
}

/** Reads the answer. If that is interrupted, it is asked for again. */
async function follow(response) {
  if (!response.headers.get('content-type').startsWith('text/event-stream')) {
    const { token, message } = await response.json()
    if (token) receive.token(token)
    receive.message(message)
    listen()
    return
  }
  outcome = undefined
  await readStream(response).catch(() => {})
  const question = unanswered
  if (question && outcome !== 'failed' && status === 'bot_active') {
    await pause(2000)
    if (unanswered === question) askAgain(question)
  }
}

let asked = 0

async function askAgain(question) {
  if (++asked > 5) {
    offerAgain(texts.noAnswer)
    return
  }
  offerAgain()
  try {
    const response = await postQuestion([['question', question]])
    if (response.ok) await follow(response)
    else offerAgain(texts.noAnswer)
  } catch {
    await backOff(asked)
    if (unanswered === question) askAgain(question)
  }
}

/** A button to ask again. Without a text it is removed. */
function offerAgain(text) {
  find('[data-again]')?.remove()
  const question = unanswered
  if (!text || !question) return
  const ask = () => {
    asked = 0
    askAgain(question)
  }
  const button = make('button', { type: 'button', textContent: texts.retry, onclick: ask })
  const offer = make('div', { className: 'again' }, make('p', { textContent: text }), button)
  offer.dataset.again = ''
  find('[data-typing]').after(offer)
  show(offer)
}

function say(text, inside = find('[data-compose]')) {
  find('[data-problem]', inside).textContent = text
}

// Files are uploaded when they are chosen.

/** Token and name of each, or a promise of it. */
let files = new Map()

function choose(input) {
  const chosen = [...input.files]
  input.value = ''
  say('')
  for (const file of chosen) {
    if (files.size >= data.limits.files) say(fill(texts.tooManyFiles, data.limits.files))
    else if (file.size > data.limits.mb * 2 ** 20) say(fill(texts.fileTooLarge, data.limits.mb))
    else addFile(file)
  }
}

function addFile(file) {
  const remove = () => {
    files.delete(row)
    row.remove()
    find('[data-text]').focus()
  }
  const label = make('span', { dir: 'auto', textContent: fill(texts.uploading, file.name) })
  const button = make('button', { type: 'button', textContent: '×', ariaLabel: fill(texts.removeFile, file.name) })
  button.onclick = remove
  const row = make('li', {}, label, button)
  if (file.type.startsWith('image/')) row.prepend(make('img', { src: URL.createObjectURL(file), alt: '' }))
  find('[data-files]').append(row)
  const upload = async () => {
    for (let tries = 0; files.has(row); tries++) {
      try {
        const options = { method: 'POST', body: file, headers: { 'content-type': 'application/octet-stream' } }
        const response = await request(`/files?name=${encodeURIComponent(file.name)}`, options)
        const { token, name, message } = await response.json()
        if (response.ok) {
          label.textContent = name
          return [token, name]
        }
        remove()
        say(message)
        return
      } catch {
        setOffline(!navigator.onLine)
        await backOff(tries)
      }
    }
  }
  files.set(row, undefined)
  files.set(row, upload())
}

async function submit() {
  const field = find('[data-text]')
  const text = field.value.trim()
  if (!text && !files.size) {
    say(texts.empty)
    field.focus()
    return
  }
  if ([...text].length > data.limits.text) {
    say(fill(texts.tooLong, data.limits.text))
    return
  }
  say('')
  const uploads = files
  files = new Map()
  field.value = ''
  keep('draft', '')
  resize(field)
  const uploaded = (await Promise.all(uploads.values())).filter(Boolean)
  for (const row of uploads.keys()) row.remove()
  if (text || uploaded.length) send(text, uploaded)
}

/** Browsers without `field-sizing` need help. */
function resize(field) {
  if (CSS.supports('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  field.style.blockSize = `${field.scrollHeight}px`
}

let saidTypingAt = -TYPING_MS

function sayTyping() {
  if (status !== 'open' || performance.now() - saidTypingAt < TYPING_MS - 2000) return
  saidTypingAt = performance.now()
  post('/signals', { signal: 'typing' }).catch(() => {})
}

// The frame and the page that shows it know nothing about each other but this.

function tellHost(event) {
  if (data.isFrame) parent.postMessage({ waymark: event }, '*')
}

/** Loads the page of the frame again, as this visitor sees it. */
async function load() {
  const response = await request('/frame', { headers: { accept: 'text/html' } })
  if (!response.ok) return
  const { body } = new DOMParser().parseFromString(withoutFiles(await response.text()), 'text/html')
  document.body.replaceWith(document.adoptNode(body))
  open()
}

async function sendForm(form, path) {
  const button = find('button', form)
  button.disabled = true
  try {
    const response = await post(path, new FormData(form))
    const answer = await response.json()
    if (response.ok) return answer
    say(answer.message, form)
  } catch {
    say(texts.failed, form)
  } finally {
    button.disabled = false
  }
}

async function enter(form) {
  const answer = await sendForm(form, '/password')
  if (!answer) return
  keep('pass', answer.pass)
  await load()
}

async function askForPerson(form) {
  const before = status
  const answer = await sendForm(form, '/agent')
  if (!answer) return
  if (answer.token) receive.token(answer.token)
  // If the stream was faster, it may know more by now.
  if (status === before) setState(answer)
  listen()
}

async function vote(form, button) {
  const response = await post('/feedback', { message: find('input', form).value, helpful: button.value }).catch(
    () => {},
  )
  if (response?.ok) form.replaceChildren(make('p', { textContent: texts.thanks }))
}

/** Forms that the script sends. All others are sent by the browser. */
const FORMS = {
  compose: () => submit(),
  suggestions: (_, button) => send(button.value, []),
  again: () => {
    asked = 0
    askAgain(unanswered)
  },
  vote,
}

/** Without cookies, the browser cannot send these. */
const FRAME_FORMS = {
  password: enter,
  new: () => {
    keep('token', '')
    keep('outbox', '')
    location.reload()
  },
}

addEventListener('submit', (event) => {
  const form = event.target
  const known = data.isFrame ? { ...FORMS, ...FRAME_FORMS } : FORMS
  const name = Object.keys(known).find((key) => key in form.dataset)
  const act = form.closest('[data-person-form],[data-address]') ? askForPerson : known[name]
  if ('new' in form.dataset) keep('draft', '')
  if (!act) return
  event.preventDefault()
  act(form, event.submitter)
})

addEventListener('click', (event) => {
  const { target } = event
  const file = target.closest('a.file[href^="/c/"]')
  if (file && isGuarded()) {
    event.preventDefault()
    saveFile(file)
  }
  if (target.closest('[data-close]')) tellHost('close')
  if (!target.closest('[data-person]')) return
  const person = find('[data-person-form]')
  person.open = true
  setTimeout(() => find('input:not([type=hidden])', person).focus())
})

addEventListener('keydown', (event) => {
  const { key, target, shiftKey, isComposing } = event
  const menu = find('.top details[open]')
  if (key === 'Escape' && menu) menu.open = false
  else if (key === 'Escape') tellHost('close')
  // On a touch screen, Enter begins a new line, and there is a button beside it.
  const sends = key === 'Enter' && !shiftKey && !isComposing && matchMedia('(pointer:fine)').matches
  if (!sends || !('text' in target.dataset)) return
  event.preventDefault()
  submit()
})

addEventListener('input', ({ target }) => {
  if (!('text' in target.dataset)) return
  keep('draft', target.value)
  resize(target)
  sayTyping()
})

addEventListener('change', ({ target }) => {
  if ('attach' in target.dataset) choose(target)
})

addEventListener('message', ({ source, data: message }) => {
  if (source === parent && message?.waymark === 'opened') find('[data-text],[name=password]')?.focus()
})

addEventListener('offline', () => setOffline(true))
addEventListener('online', () => setOffline(false))
document.addEventListener('visibilitychange', () => data.page === 'chat' && markRead())

/** Reads the page as it is now. */
function open() {
  data = JSON.parse(document.body.dataset.chat)
  texts = data.texts
  tellHost('ready')
  if (data.page !== 'chat') return
  showFiles()
  last = data.last
  status = data.status
  unanswered = data.unanswered ?? undefined
  const field = find('[data-text]')
  field.value ||= kept('draft') ?? ''
  resize(field)
  stayAtEnd(find('[data-log]'))
  setOffline(!navigator.onLine)
  try {
    outbox = JSON.parse(kept('outbox') || '[]')
  } catch {
    // Something else has changed what we stored.
  }
  for (const item of outbox) addPending(item)
  if (status) listen()
  if (unanswered) askAgain(unanswered)
  sendAll()
}

data = JSON.parse(document.body.dataset.chat)
if (data.isFrame && (kept('token') || kept('pass'))) load().catch(() => open())
else open()
