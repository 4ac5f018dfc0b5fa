import { DAY_MS } from '../../../platform/clock/index.ts'
import type { Mail } from '../../mail/mails/index.ts'

interface EmailMails {
  /** Goes to the new address. */
  confirm: Mail<{ token: string }>
  /** Goes to the old address. Its link undoes the change. */
  changed: Mail<{ token: string; newEmail: string; time: string }>
  /** Goes to an address that an operator has replaced, or that an earlier one has. */
  replaced: Mail<{ newEmail: string; time: string }>
}

export const emailMails: Readonly<EmailMails> = {
  confirm: {
    kind: 'change_email',
    validMs: DAY_MS,
    link: ({ token }) => `/account/change-email?token=${token}`,
  },
  changed: {
    kind: 'undo_email_change',
    validMs: 7 * DAY_MS,
    facts: ['newEmail'],
    times: ['time'],
    link: ({ token }) => `/account/undo-email-change?token=${token}`,
  },
  replaced: { kind: 'email_changed', facts: ['newEmail'], times: ['time'], link: () => '/account' },
}
