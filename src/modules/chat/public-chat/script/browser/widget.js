// Shows a button on somebody's page, and the chat in a frame. It has no cookies, and touches nothing else on the page.

const script = document.currentScript
const { chatbot, color, position, lang: chosen } = script.dataset
const { origin } = new URL(script.src)
const TEXTS = '{texts}'
const lang = [chosen, document.documentElement.lang, ...navigator.languages]
  .map((tag) =>
    (tag ?? '')
      .slice(0, 2)
      .toLowerCase()
      .replace(/^n[bn]$/, 'no'),
  )
  .find((tag) => TEXTS[tag])
const [openText, closeText, unreadText] = TEXTS[lang] ?? TEXTS.en
const SVG = 'http://www.w3.org/2000/svg'
const CHAT = 'M4 5h16v11H10l-4.5 4v-4H4z'
const CROSS = 'm6 6 12 12M18 6 6 18'

/** The colour of the text on a colour, by its lightness. */
const inkOn = (hex) => {
  const [r, g, b] = [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? '#000' : '#fff'
}
const isColor = (value) => /^#[0-9a-f]{6}$/i.test(value)
const side = position === 'left' ? 'left' : 'right'

// Rules of the page do not apply inside, and ours do not apply outside. The page need not allow inline styles.
const styleOf = (
  fill,
) => `:host{all:initial!important;position:fixed!important;z-index:2147483000!important;${side}:max(1rem,env(safe-area-inset-${side}))!important;bottom:max(1rem,env(safe-area-inset-bottom))!important;display:block!important}
div{display:grid;place-items:end ${side === 'left' ? 'start' : 'end'}}
div>*{grid-area:1/1}
button{all:unset;box-sizing:border-box;position:relative;display:grid;place-items:center;width:56px;height:56px;border-radius:50%;background:${fill};color:${inkOn(fill)};cursor:pointer}
button:focus-visible{outline:3px solid ${fill};outline-offset:3px}
svg{width:26px;height:26px;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.dot{position:absolute;top:2px;right:2px;width:14px;height:14px;border:2px solid #fff;border-radius:50%;background:#b3261e}
[hidden]{display:none!important}
iframe{display:block;width:min(400px,calc(100vw - 2rem));height:min(640px,calc(100dvh - 2rem));border:1px solid #8884;border-radius:16px;background:#fbf8f3;color-scheme:normal}
@media (prefers-color-scheme:dark){iframe{background:#191715}}
@media (prefers-reduced-motion:no-preference){iframe{animation:in .18s ease-out}@keyframes in{from{opacity:0;transform:translateY(8px)}}}
@media (max-width:480px){.open iframe{position:fixed;inset:0;width:100vw;height:100dvh;border:0;border-radius:0}}
.open.ready button{display:none}`

const host = document.createElement('div')
const root = host.attachShadow({ mode: 'closed' })

const box = document.createElement('div')
const button = document.createElement('button')
const path = document.createElementNS(SVG, 'path')
const svg = document.createElementNS(SVG, 'svg')
svg.setAttribute('viewBox', '0 0 24 24')
svg.setAttribute('aria-hidden', 'true')
svg.append(path)
const dot = document.createElement('span')
dot.className = 'dot'
dot.hidden = true
button.type = 'button'
button.append(svg, dot)
box.append(button)
root.append(box)

let frame

let isLoaded = false

const tell = (event) => isLoaded && frame.contentWindow.postMessage({ waymark: event }, origin)

function addFrame() {
  frame = document.createElement('iframe')
  frame.title = openText
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
  )
  frame.referrerPolicy = 'no-referrer'
  frame.src = `${origin}/c/${encodeURIComponent(chatbot)}/frame?lang=${lang ?? 'en'}`
  frame.onload = () => {
    isLoaded = true
    if (isOpen) tell('opened')
  }
  box.prepend(frame)
}

let isOpen = false
/** Whether the frame has a button of its own to close it. */
let isReady = false

function set(open) {
  isOpen = open
  if (open && !frame) addFrame()
  if (frame) frame.hidden = !open
  box.className = open ? (isReady ? 'open ready' : 'open') : ''
  path.setAttribute('d', open ? CROSS : CHAT)
  button.ariaExpanded = String(open)
  if (open) dot.hidden = true
  button.ariaLabel = open ? closeText : dot.hidden ? openText : `${openText}. ${unreadText}`
}

button.onclick = () => {
  set(!isOpen)
  if (!isOpen) return
  frame.focus()
  tell('opened')
}

function close() {
  set(false)
  button.focus()
}

root.addEventListener('keydown', ({ key }) => key === 'Escape' && isOpen && close())
addEventListener('message', ({ source, origin: from, data }) => {
  if (!frame || source !== frame.contentWindow || from !== origin) return
  if (data?.waymark === 'ready') {
    isReady = true
    set(isOpen)
  }
  if (data?.waymark === 'close' && isOpen) close()
  if (data?.waymark === 'message' && !isOpen) {
    dot.hidden = false
    set(false)
  }
})

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The page may allow no requests of scripts, but it allows our scripts. */
const ownColor = () => import(`${origin}/c/${encodeURIComponent(chatbot)}/color.js`).then((own) => own.default)

async function show() {
  const found = isColor(color) ? color : await Promise.race([ownColor(), wait(3000)]).catch(() => {})
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styleOf(isColor(found) ? found : '#0f766e'))
  root.adoptedStyleSheets = [sheet]
  set(false)
  document.body.append(host)
}

show()
