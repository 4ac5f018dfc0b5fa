import { DAY_MS } from '../../../platform/clock/index.ts'
import type { Mail } from '../../mail/mails/index.ts'

interface EmailMails {
  /** Goes to the new address. */
  confirm: Mail<{ token: string }>
  /** Goes to the old address. */
  changed: Mail<{ newEmail: string; time: string }>
}

export const emailMails: Readonly<EmailMails> = {
  confirm: {
    kind: 'change_email',
    validMs: DAY_MS,
    link: ({ token }) => `/account/change-email?token=${token}`,
  },
  changed: { kind: 'email_changed', facts: ['newEmail'], times: ['time'], link: () => '/account' },
}
