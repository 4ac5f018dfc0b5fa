import { DAY_MS } from '../../../platform/clock/index.ts'
import type { Mail, MailLimit } from '../../mail/mails/index.ts'

/** Submissions to one page, each to all who want to know: an attack on a page must not flood their mailboxes. */
export const SUBMISSIONS: MailLimit = { name: 'submission', perHour: 20 }

interface SubmittedForm {
  submissionId: string
  number: number
  /** The title of the page. */
  page: string
  /** The first answers of the visitor. */
  answers: readonly { label: string; value: string }[]
}

/** Members get these if they want to know about new submissions of a page. */
export const submissionMails: Readonly<Record<'created', Mail<SubmittedForm>>> = {
  created: {
    kind: 'submission',
    validMs: DAY_MS,
    quotes: ({ answers }) => answers,
    link: ({ submissionId }) => `/account/submission?id=${submissionId}`,
    isForMembers: true,
  },
}
