import type { Mail } from '../../mail/mails/index.ts'

/** The owners get these when few credits are left, or none. */
export const creditMails: Readonly<Record<'low' | 'empty', Mail<{ number: number }>>> = {
  low: { kind: 'credits_low', link: () => '/account' },
  empty: { kind: 'credits_empty', link: () => '/account' },
}
