import type { Mail } from '../../mail/mails/index.ts'

/** The owners get these when few credits are left, when visitors have used theirs, and when none are left. */
export const creditMails: Readonly<Record<'low' | 'reserved' | 'empty', Mail<{ number: number }>>> = {
  low: { kind: 'credits_low', link: () => '/account' },
  reserved: { kind: 'credits_reserved', link: () => '/account' },
  empty: { kind: 'credits_empty', link: () => '/account' },
}
