import { DAY_MS } from '../../../platform/clock/index.ts'
import type { Mail } from '../../mail/mails/index.ts'

/** A person gets this when they sign in for the first time with an address that nobody has confirmed. */
export const addressMails: Readonly<Record<'confirm', Mail<{ token: string }>>> = {
  confirm: {
    kind: 'confirm_email',
    validMs: DAY_MS,
    link: ({ token }) => `/account/confirm-email?token=${token}`,
  },
}
