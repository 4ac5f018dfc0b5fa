import type { Mail } from '../../mail/mails/index.ts'
import type { Origin } from '../sessions/index.ts'

/** A person gets these when a second factor was added, removed or renewed. */
export const factorMails: Readonly<Record<'changed', Mail<Origin & { time: string }>>> = {
  changed: { kind: 'factors_changed', facts: ['device', 'address'], times: ['time'], link: () => '/account' },
}
