import { type Html, html } from '../../../../platform/text/html.ts'
import {
  REPLIES_MAX,
  REPLY_LENGTH_MAX,
  type Submission,
  type SubmissionReply,
} from '../../../pages/submissions/contract.ts'
import { formatTime } from '../format.ts'
import { formFields } from '../forms.ts'
import { mayUse } from '../layout.ts'
import type { SignedInVisit } from '../visit.ts'

export const REPLY_PATH = '/account/submission/reply'

/** What the team has written to the visitor, oldest first, and a form for the next reply. */
export async function replies(visit: SignedInVisit, { id, reply_count, status }: Submission): Promise<Html | false> {
  const { submissions } = visit.texts
  const mayReply = mayUse(visit, 'submissions.manage') && status !== 'spam'
  if (reply_count === 0 && !mayReply) return false
  const { body } = await visit.call('submissions.listReplies', {
    params: { id },
    query: { limit: String(REPLIES_MAX) },
  })
  const written = ((body.data ?? []) as SubmissionReply[]).toReversed()
  return html`<section><h2>${submissions.replies}</h2>${
    written.length > 0 && html`<dl class="answers">${written.map((reply) => replyItem(visit, reply))}</dl>`
  }${mayReply && replyForm(visit, id)}</section>`
}

const replyItem = ({ texts, language }: SignedInVisit, { created_at, mailed, text }: SubmissionReply): Html =>
  html`<dt>${formatTime(created_at, language)}${mailed && html` · ${texts.submissions.mailed}`}</dt><dd dir="auto">${text}</dd>`

const replyForm = (visit: SignedInVisit, id: string): Html => {
  const { submissions } = visit.texts
  return html`<form method="post" action="${REPLY_PATH}" class="actions">${formFields(visit)}<input type="hidden" name="id" value="${id}">
<label>${submissions.reply}<textarea name="text" rows="3" dir="auto" maxlength="${REPLY_LENGTH_MAX}" required></textarea></label>
<p class="muted">${submissions.replyAbout}</p>
<p class="other"><button>${submissions.sendReply}</button></p></form>`
}
