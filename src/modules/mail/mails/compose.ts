import type { Language } from '../../../platform/contract/languages.ts'
import type { Letter, LetterSender } from '../../../platform/mail/index.ts'
import { fill } from '../../../platform/text/fill.ts'
import { formatTime } from '../../../platform/text/format-time.ts'
import type { Mail } from './declaration.ts'
import { type FactName, MAIL_TEXTS } from './texts.ts'

/** `values` also has the name of the organisation, if the mail is about one. Any of them can fill a placeholder. */
export function compose<Values extends object>(
  mail: Mail<Values>,
  language: Language,
  values: Values & { organisation?: string },
  appUrl: string,
  sender?: LetterSender,
): Letter {
  const { kinds, facts: labels, footer } = MAIL_TEXTS[language]
  const { subject, text, link: label, hint } = kinds[mail.kind]
  const { facts = [], times = [], quotes, link } = mail
  const names = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (isScalar(value) ? [[name, plain(`${value}`)]] : [])),
  )
  const toFact = (name: FactName, show = (value: string) => value) => {
    const value = names[name] ?? ''
    return value === '' ? [] : [{ label: labels[name], value: show(value) }]
  }
  const address = link(values)
  return {
    language,
    subject: fill(subject, names),
    text: fill(text, names),
    facts: [
      ...facts.flatMap((name) => toFact(name)),
      ...times.flatMap((name) => toFact(name, (time) => formatTime(time, language))),
      ...(quotes?.(values) ?? []).map((quote) => ({ label: plain(quote.label), value: plain(quote.value) })),
    ],
    link: { label, url: address.startsWith('/') ? `${appUrl}${address}` : address },
    hint,
    footer: fill(footer, { url: appUrl }),
    sender,
  }
}

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** A name must neither begin a line of its own nor change the direction of the text after it. */
const plain = (value: string): string =>
  value
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
