import type { Mail } from '../../mail/mails/index.ts'

/** Owners get this when somebody left or got a lower role who had created invitations or API keys. */
export const trustMails: Readonly<Record<'withdrawn', Mail<{ person: string; invitations: string; apiKeys: string }>>> =
  {
    withdrawn: {
      kind: 'trust_withdrawn',
      facts: ['person', 'invitations', 'apiKeys'],
      link: () => '/account/api-keys',
    },
  }
