import type { RenderedPage } from '../../../../platform/pages/index.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html, raw } from '../../../../platform/text/html.ts'
import type { StoredConversation } from '../../conversations/index.ts'
import { TEXT_LENGTH_MAX } from '../../visitor-messages/index.ts'
import { FILES } from '../files/receive-files.ts'
import { icon } from '../icons.ts'
import { TEXTS, type Texts } from '../texts.ts'
import { type ChatView, menu, toDocument } from './document.ts'

/** What the chat looks like for one visitor. */
export interface ChatState {
  conversation: StoredConversation | undefined
  /** Rendered, in order. */
  messages: readonly string[]
  lastMessageId: string | null
  hasEarlier: boolean
  /** The name of what was scanned. */
  scanned: string | null
  /** Whether people answer at this time. */
  isOpen: boolean
  /** The visitor's last message, if the chatbot has not answered it. */
  unanswered: { id: string; isBeingWritten: boolean } | null
  /** What the visitor typed, and why it was not sent. */
  typed: string
  problem: string | null
  personProblem: string | null
  /** Random. */
  messageKey: string
}

const ENDED: readonly string[] = ['resolved', 'closed', 'archived']
const ACCEPT = { image: 'image/*', video: 'video/*', audio: 'audio/*', pdf: 'application/pdf' }

export function renderChat(view: ChatView, state: ChatState): RenderedPage {
  const { chatbot, language, isFrame } = view
  const texts = TEXTS[language]
  const { conversation, unanswered } = state
  const isWaiting = unanswered?.isBeingWritten === true
  return toDocument(view, {
    head: isWaiting && html`<noscript><meta http-equiv="refresh" content="4"></noscript>\n`,
    menu: menu(view, texts, true),
    main: html`<main>
<div class="log" data-log>
${welcome(view, state, texts)}${state.hasEarlier && html`<p class="earlier">${texts.earlier}</p>`}
<div role="log" aria-label="${texts.messages}" tabindex="0" data-messages>
${raw(state.messages.join(''))}</div>
${typing(texts.answer.writing, isWaiting)}${unanswered !== null && !isWaiting && again(view, unanswered.id, texts)}
</div>
<div class="bottom">
<p class="offline" role="status" data-offline hidden>${texts.connection.offline}</p>
<p class="state" role="status" data-state>${stateText(conversation, texts)}</p>
${isWithPerson(conversation) && html`<noscript><p><a class="pill" href="?lang=${language}#end">${texts.person.check}</a></p></noscript>`}
${composer(view, state, texts)}
${chatbot.humanSupport && !isWithPerson(conversation) && person(view, state, texts)}
<span id="end"></span>
</div>
</main>`,
    data: {
      page: 'chat',
      last: state.lastMessageId,
      status: conversation?.status ?? null,
      unanswered: unanswered?.id ?? null,
      isFrame,
      limits: { text: TEXT_LENGTH_MAX, files: FILES.max_files, mb: FILES.max_size_mb },
      texts: {
        ...texts.problems,
        ...texts.connection,
        removeFile: texts.composer.removeFile,
        uploading: texts.composer.uploading,
        you: texts.you,
        writing: texts.answer.writing,
        agentWriting: texts.person.writing,
        noAnswer: texts.answer.failed,
        retry: texts.answer.retry,
        thanks: texts.answer.thanks,
        read: texts.person.read,
        states: statesOf(texts),
      },
    },
  })
}

const isWithPerson = (conversation: StoredConversation | undefined): boolean =>
  conversation?.status === 'agent_requested' || conversation?.status === 'open'

const statesOf = ({ person }: Texts): Record<string, string> => ({
  agent_requested: person.requested,
  open: person.joined,
  ...Object.fromEntries(ENDED.map((status) => [status, person.ended])),
})

const stateText = (conversation: StoredConversation | undefined, texts: Texts): string =>
  statesOf(texts)[conversation?.status ?? ''] ?? ''

function welcome({ chatbot, language }: ChatView, { messages, scanned, messageKey }: ChatState, texts: Texts): Html {
  const { welcomeMessage, welcomeSubtitle, suggestions, publicSlug } = chatbot
  const isEmpty = messages.length === 0
  return html`<div class="welcome" data-welcome>
${scanned !== null && html`<p class="scanned">${icon('tag')}<span dir="auto">${fill(texts.scanned, { name: scanned })}</span></p>`}
<h2 dir="auto">${welcomeMessage ?? texts.welcome.title}</h2>
<p dir="auto">${welcomeMessage === null ? (welcomeSubtitle ?? texts.welcome.text) : welcomeSubtitle}</p>
${
  isEmpty &&
  suggestions.length > 0 &&
  html`<form class="suggestions" method="post" action="/c/${publicSlug}/messages?lang=${language}" aria-label="${texts.suggestions}" data-suggestions>
${key(messageKey)}${suggestions.map((suggestion) => html`<button name="text" value="${suggestion}" dir="auto">${suggestion}</button>\n`)}</form>`
}
</div>
`
}

/** Sending a form twice has no further effect. */
const key = (value: string): Html => html`<input type="hidden" name="key" value="${value}">\n`

const typing = (label: string, isShown: boolean): Html =>
  html`<div class="message typing" data-typing${!isShown && html` hidden`}><div class="bubble"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span data-typing-text>${label}</span></div></div>\n`

/** Shown after a crash, or after the visitor left too early. The script asks by itself. */
const again = ({ chatbot, language }: ChatView, questionId: string, { answer }: Texts): Html =>
  html`<form class="again" method="post" action="/c/${chatbot.publicSlug}/messages?lang=${language}" data-again><input type="hidden" name="question" value="${questionId}"><p>${answer.missing}</p><button>${answer.retry}</button></form>`

function composer(
  { chatbot, language }: ChatView,
  { typed, problem, messageKey }: ChatState,
  { composer }: Texts,
): Html {
  const accept = FILES.accept.map((kind) => ACCEPT[kind]).join(',')
  return html`<form method="post" action="/c/${chatbot.publicSlug}/messages?lang=${language}" enctype="multipart/form-data" data-compose>
<div class="problem" role="alert" data-problem>${problem}</div>
<ul class="files" data-files></ul>
${key(messageKey)}<div class="compose">
<span class="attach round"><input type="file" name="files" multiple accept="${accept}" aria-label="${composer.attach}" data-attach>${icon('attach')}</span>
<textarea name="text" rows="1" maxlength="${TEXT_LENGTH_MAX}" aria-label="${composer.label}" placeholder="${composer.label}" dir="auto" enterkeyhint="send" data-text>${typed}</textarea>
<button class="round primary">${icon('send')}<span class="hidden">${composer.send}</span></button>
</div>
</form>`
}

function person(
  { chatbot, language }: ChatView,
  { isOpen, personProblem, messageKey }: ChatState,
  { person }: Texts,
): Html {
  return html`<details class="person" id="person" data-person-form${personProblem !== null && html` open`}>
<summary>${icon('person')}${person.ask}</summary>
<form method="post" action="/c/${chatbot.publicSlug}/agent?lang=${language}">
${key(messageKey)}<p class="${isOpen ? 'help' : 'away'}" dir="auto">${isOpen ? person.text : (chatbot.awayMessage ?? person.away)}</p>
<div class="problem" role="alert" data-problem>${personProblem}</div>
<label>${person.name}<input type="text" name="contact_name" maxlength="200" autocomplete="name"></label>
<label>${person.email}<input type="email" name="contact_email" maxlength="254" autocomplete="email" aria-describedby="email-help"></label>
<p class="help" id="email-help">${person.emailHelp}</p>
<button class="primary">${person.confirm}</button>
</form>
</details>`
}
