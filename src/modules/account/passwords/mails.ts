import { HOUR_MS } from '../../../platform/clock/index.ts'
import type { Mail, MailLimit } from '../../mail/mails/index.ts'
import type { Origin } from '../sessions/index.ts'

/** Forms from one address that ask for a link. More, because the people of an office share an address. */
export const REQUESTS: MailLimit = { name: 'asking', perHour: 60 }

interface PasswordMails {
  reset: Mail<{ token: string }>
  changed: Mail<Origin & { time: string }>
}

export const passwordMails: Readonly<PasswordMails> = {
  reset: {
    kind: 'reset_password',
    validMs: HOUR_MS,
    link: ({ token }) => `/account/reset-password?token=${token}`,
  },
  changed: {
    kind: 'password_changed',
    facts: ['device', 'address'],
    times: ['time'],
    link: () => '/account/forgot-password',
  },
}
