import type { MailLimit } from '../../mail/mails/index.ts'

/** Links to one account: nobody can flood the mailbox of a person whose address they know. */
export const LINKS: MailLimit = { name: 'link', perHour: 5 }

/** Notices to one person about their own account. */
export const NOTICES: MailLimit = { name: 'notice', perHour: 20 }
