import type { Mail } from '../../mail/mails/index.ts'
import type { Origin } from '../sessions/index.ts'

/** A person gets this after they signed in with a browser that they have not used before. */
export const signInMails: Readonly<Record<'newDevice', Mail<Origin & { time: string }>>> = {
  newDevice: { kind: 'new_device', facts: ['device', 'address'], times: ['time'], link: () => '/account' },
}
