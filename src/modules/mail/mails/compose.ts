import type { Language } from '../../../platform/contract/languages.ts'
import type { Letter } from '../../../platform/mail/index.ts'
import { fill } from '../../../platform/text/fill.ts'
import { formatTime } from '../../../platform/text/format-time.ts'
import { type FactName, MAIL_TEXTS, type MailKind } from './texts.ts'

/** What a mail says besides its texts. Each kind uses some of it. */
export interface MailValues {
  /** The token of the link. */
  token?: string
  organisation?: string
  invitedBy?: string
  newEmail?: string
  device?: string
  address?: string
  /** Times are formatted in the language of the mail. */
  time?: string
  since?: string
  endpoint?: string
  domain?: string
  /** The number of a submission, or how many credits are left. */
  number?: number
  /** The title of the page that a submission belongs to, and its first answers. */
  page?: string
  submissionId?: string
  /** The whole link, where it is not to a page of the account. */
  url?: string
  /** The beginning of what an agent answered. */
  answer?: string
  answers?: readonly { label: string; value: string }[]
}

const FACTS: readonly FactName[] = ['invitedBy', 'newEmail', 'endpoint', 'since', 'device', 'address', 'time', 'answer']

/** Where the link of a mail goes, without its token. */
const PATHS: Record<MailKind, string> = {
  invitation: '/account/invitation',
  reset_password: '/account/reset-password',
  change_email: '/account/change-email',
  email_changed: '/account',
  password_changed: '/account/forgot-password',
  factors_changed: '/account',
  new_device: '/account',
  endpoint_gone: '/account/webhooks',
  endpoint_failing: '/account/webhooks',
  credits_low: '/account',
  credits_empty: '/account',
  domain_failing: '/account/domains',
  domain_lost: '/account/domains',
  domain_taken_over: '/account/domains',
  // The mail brings its own link.
  conversation_reply: '',
  submission: '/account/submission',
}

export function compose(kind: MailKind, language: Language, values: MailValues, appUrl: string): Letter {
  const { kinds, facts, footer } = MAIL_TEXTS[language]
  const { subject, text, link, hint } = kinds[kind]
  const names = {
    organisation: plain(values.organisation ?? ''),
    page: plain(values.page ?? ''),
    domain: values.domain ?? '',
    number: values.number ?? '',
  }
  const { token, submissionId } = values
  const query = token !== undefined ? `?token=${token}` : submissionId !== undefined ? `?id=${submissionId}` : ''
  return {
    language,
    subject: fill(subject, names),
    text: fill(text, names),
    facts: [
      ...FACTS.flatMap((name) => {
        const value = values[name] ?? ''
        const isTime = name === 'time' || name === 'since'
        return value === '' ? [] : [{ label: facts[name], value: isTime ? formatTime(value, language) : plain(value) }]
      }),
      ...(values.answers ?? []).map(({ label, value }) => ({ label: plain(label), value: plain(value) })),
    ],
    link: { label: link, url: values.url ?? `${appUrl}${PATHS[kind]}${query}` },
    hint,
    footer: fill(footer, { url: appUrl }),
  }
}

/** A name must neither begin a line of its own nor change the direction of the text after it. */
const plain = (value: string): string =>
  value
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
