import type { RenderedPage } from '../../../../platform/pages/index.ts'
import { html } from '../../../../platform/text/html.ts'
import { icon } from '../icons.ts'
import { TEXTS } from '../texts.ts'
import { type ChatView, toDocument } from './document.ts'

/** Asks for the password. Says nothing about the chat but its name. */
export function renderPassword(view: ChatView, problem: 'wrong' | 'tooMany' | null): RenderedPage {
  const { chatbot, language } = view
  const texts = TEXTS[language]
  const { password } = texts
  return toDocument(view, {
    main: html`<main class="gate">
${icon('lock')}
<h2>${password.title}</h2>
<p>${password.text}</p>
<form method="post" action="/c/${chatbot.publicSlug}/password?lang=${language}" data-password>
<div class="problem" role="alert" data-problem>${problem !== null && password[problem]}</div>
<label>${password.label}<input type="password" name="password" required maxlength="200" autocomplete="current-password"></label>
<button class="primary">${password.send}</button>
</form>
</main>`,
    data: { page: 'password', texts: { failed: texts.problems.failed } },
  })
}

/** A link in a mail was opened. Programs that check the links of mails open it, too, so it takes a click to use it up. */
export function renderResume(view: ChatView, token: string): RenderedPage {
  const { chatbot, language } = view
  const { resume } = TEXTS[language]
  return toDocument(view, {
    main: html`<main class="gate">
<h2>${resume.title}</h2>
<p>${resume.text}</p>
<form method="post" action="/c/${chatbot.publicSlug}/resume?lang=${language}">
<input type="hidden" name="token" value="${token}">
<button class="primary">${resume.send}</button>
</form>
</main>`,
    data: { page: 'resume' },
    query: `resume=${encodeURIComponent(token)}&`,
  })
}
