import { type ShownThing, scannedChip } from '../../../../platform/look/index.ts'
import type { RenderedPage } from '../../../../platform/pages/index.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html, raw } from '../../../../platform/text/html.ts'
import { languageOf } from '../../../../platform/text/text-language.ts'
import { type TextInLanguage, textIn } from '../../chatbot-texts/index.ts'
import type { StoredConversation } from '../../conversations/index.ts'
import { TEXT_LENGTH_MAX } from '../../visitor-messages/index.ts'
import { FILES } from '../files/receive-files.ts'
import { icon } from '../icons.ts'
import { TEXTS, type Texts } from '../texts.ts'
import { type ChatView, menu, toDocument } from './document.ts'
import { isWithPerson, stateOf } from './state.ts'

/** What the chat looks like for one visitor. */
export interface ChatState {
  conversation: StoredConversation | undefined
  /** Rendered, in order. */
  messages: readonly string[]
  lastMessageId: string | null
  hasEarlier: boolean
  scanned: ShownThing | null
  /** Whether people answer at this time. */
  isOpen: boolean
  /** Whether the installation can send mails. */
  canMail: boolean
  /** The visitor's last message, if the chatbot has not answered it. */
  unanswered: { id: string; isBeingWritten: boolean } | null
  /** What the visitor typed, and why it was not sent. */
  typed: string
  problem: string | null
  personProblem: string | null
  /** Random. */
  messageKey: string
}

const ACCEPT = { image: 'image/*', video: 'video/*', audio: 'audio/*', pdf: 'application/pdf' }

export function renderChat(view: ChatView, state: ChatState): RenderedPage {
  const { chatbot, language, isFrame } = view
  const texts = TEXTS[language]
  const { conversation, unanswered } = state
  const isWaiting = unanswered?.isBeingWritten === true
  return toDocument(view, {
    head: isWaiting && html`<noscript><meta http-equiv="refresh" content="4"></noscript>\n`,
    menu: menu(view, texts),
    main: html`<main>
<div class="log" data-log>
${welcome(view, state, texts)}${state.hasEarlier && html`<p class="earlier">${texts.earlier}</p>`}
<div role="log" aria-label="${texts.messages}" tabindex="0" data-messages>
${raw(state.messages.join(''))}</div>
${typing(texts.answer.writing, isWaiting)}${unanswered !== null && !isWaiting && again(view, unanswered.id, texts)}
</div>
<div class="bottom">
<p class="offline" role="status" data-offline hidden>${texts.connection.offline}</p>
<p class="state" role="status" data-state>${conversation && stateOf(conversation, texts).text}</p>
${isWithPerson(conversation) && html`<noscript><p><a class="pill" href="?lang=${language}#end">${texts.person.check}</a></p></noscript>`}
${composer(view, state, texts)}
${chatbot.humanSupport && address(view, state, texts)}
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
      },
    },
  })
}

function welcome(view: ChatView, { messages, scanned, messageKey }: ChatState, texts: Texts): Html {
  const { chatbot, language, accepted } = view
  const title = textIn(chatbot.texts, 'welcome_message', accepted)
  const subtitle = textIn(chatbot.texts, 'welcome_subtitle', accepted)
  const suggestions = textIn(chatbot.texts, 'suggestions', accepted)
  const isEmpty = messages.length === 0
  return html`<div class="welcome" data-welcome>
${scanned !== null && scannedChip(scanned, fill(texts.scanned, { name: scanned.name }))}
<h2${own(view, title)}>${title.text ?? texts.welcome.title}</h2>
<p${own(view, subtitle)}>${subtitle.text ?? (title.text === null && texts.welcome.text)}</p>
${
  isEmpty &&
  (suggestions.text ?? []).length > 0 &&
  html`<form class="suggestions" method="post" action="/c/${chatbot.publicSlug}/messages?lang=${language}" aria-label="${texts.suggestions}" data-suggestions>
${key(messageKey)}${suggestions.text?.map((suggestion) => html`<button name="text" value="${suggestion}"${own(view, suggestions)}>${suggestion}</button>\n`)}</form>`
}
</div>
`
}

/** The direction and language of a text of the chatbot. Without one, a text of the page is in its place. */
const own = ({ language: page }: ChatView, { text, language }: TextInLanguage<unknown>): Html | false =>
  text !== null && (language === null ? html` dir="auto"` : languageOf(language, page))

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

function person(view: ChatView, state: ChatState, texts: Texts): Html {
  const { chatbot, language } = view
  const { conversation, personProblem, messageKey } = state
  const { person } = texts
  return html`<details class="person" id="person" data-person-form${personProblem !== null && html` open`}>
<summary>${icon('person')}${person.ask}</summary>
<form method="post" action="/c/${chatbot.publicSlug}/agent?lang=${language}">
${key(messageKey)}${expectation(view, state, texts)}
<div class="problem" role="alert" data-problem>${personProblem}</div>
<label>${person.name}<input type="text" name="contact_name" maxlength="200" autocomplete="name"></label>
${(conversation?.contactEmail ?? null) === null && addressField(state, texts, 'email-help')}<button class="primary">${person.ask}</button>
</form>
</details>`
}

/** When somebody will answer. */
function expectation(view: ChatView, { conversation, isOpen, canMail }: ChatState, { person }: Texts): Html {
  if (isOpen) return html`<p class="help">${person.text}</p>`
  const away = textIn(view.chatbot.texts, 'away_message', view.accepted)
  const hasAddress = (conversation?.contactEmail ?? null) !== null
  const usual = !canMail ? person.awayWithoutMail : hasAddress ? person.awayKnown : person.away
  return html`<p class="away"${own(view, away)}>${away.text ?? usual}</p>`
}

/** Remains below the conversation until it is filled. The script shows a copy of the template when a person is asked for. */
function address(view: ChatView, state: ChatState, texts: Texts): Html {
  const { conversation } = state
  const isAsked = conversation !== undefined && stateOf(conversation, texts).needs_address
  return html`${isAsked && addressForm(view, state, texts)}<template data-address-template>${addressForm(view, state, texts)}</template>`
}

const addressForm = ({ chatbot, language }: ChatView, state: ChatState, texts: Texts): Html =>
  html`<form class="address" method="post" action="/c/${chatbot.publicSlug}/agent?lang=${language}" data-address>
<div class="problem" role="alert" data-problem>${state.personProblem}</div>
${addressField(state, texts, 'address-help')}<button>${texts.person.saveEmail}</button>
</form>
`

const addressField = ({ canMail }: ChatState, { person }: Texts, helpId: string): Html =>
  html`<label>${person.email}<input type="email" name="contact_email" maxlength="254" autocomplete="email" aria-describedby="${helpId}"></label>
<p class="help" id="${helpId}">${canMail ? person.emailHelp : person.emailHelpWithoutMail}</p>
`
