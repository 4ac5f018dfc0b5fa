import { DAY_MS } from '../../../platform/clock/index.ts'
import type { Mail, MailLimit } from '../../mail/mails/index.ts'

/** Submissions to one page, each to all who want to know: an attack on a page must not flood their mailboxes. */
export const SUBMISSIONS: MailLimit = { name: 'submission', perHour: 20 }

/** Receipts of one page. Nobody may use a form to send mails to others in bulk. */
export const RECEIPTS: MailLimit = { name: 'receipt', perHour: 60 }
/** Receipts to one address, from all pages of all organisations: anybody may have entered it. */
export const RECEIPTS_TO_ADDRESS: MailLimit = { name: 'receipt_address', perHour: 5 }
/** Receipts because of one sender, with the forms of all organisations. Many people may share an address. */
export const RECEIPTS_FROM_SENDER: MailLimit = { name: 'receipt_sender', perHour: 10 }

/** Replies of one organisation. */
export const REPLIES: MailLimit = { name: 'submission_reply', perHour: 200 }
/** Replies of an organisation to one address, which anybody may have entered. */
export const REPLIES_TO_ADDRESS: MailLimit = { name: 'submission_reply_address', perHour: 6 }

interface SubmittedForm {
  submissionId: string
  number: number
  /** The title of the page. */
  page: string
  /** The first answers of the visitor. */
  answers: readonly { label: string; value: string }[]
}

interface SubmissionMails {
  /** Members get this if they want to know about new submissions of a page. */
  created: Mail<SubmittedForm>
  /** The same about something that the visitor scanned. `summary` is the first answer, or the number. */
  about: Mail<SubmittedForm & { thing: string; summary: string | number }>
  /** The visitor gets the link to the receipt. Nothing in it was typed by the visitor: the address may be anybody's. */
  receipt: Mail<{ title: string; url: string }>
  /** The visitor reads how a reply begins. */
  reply: Mail<{ title: string; answer: string; url: string }>
}

const forMembers = {
  validMs: DAY_MS,
  quotes: ({ answers }: SubmittedForm) => answers,
  link: ({ submissionId }: SubmittedForm) => `/account/submission?id=${submissionId}`,
  isForMembers: true,
} as const

export const submissionMails: Readonly<SubmissionMails> = {
  created: { kind: 'submission', ...forMembers },
  about: { kind: 'submission_about', ...forMembers },
  receipt: { kind: 'submission_receipt', link: ({ url }) => url },
  reply: { kind: 'submission_reply', facts: ['answer'], link: ({ url }) => url },
}
