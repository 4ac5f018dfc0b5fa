import { preferredLanguage } from '../../../../platform/text/negotiate-language.ts'
import type { Facts } from '../facts.ts'
import { eitherOf, type Kind, listedOrUnknown } from './kind.ts'
import { known, UNKNOWN } from './ternary.ts'

const DEVICES: Readonly<Record<string, string>> = {
  mobile: 'a phone',
  tablet: 'a tablet',
  desktop: 'a computer',
  tv: 'a television',
}

export const device = listedOrUnknown({
  of: (facts) => facts.device,
  name: (type) => DEVICES[type] ?? type,
  clause: (name) => `the visitor used ${name}`,
  none: 'the device is unknown',
})

const withoutCase = (text: string): string => text.toLowerCase()

export const os = listedOrUnknown({
  of: (facts) => facts.os,
  normalise: withoutCase,
  clause: (name) => `the operating system was ${name}`,
  none: 'the operating system is unknown',
})

const countries = new Intl.DisplayNames('en', { type: 'region' })

export const country = listedOrUnknown({
  of: (facts) => facts.country,
  name: (code) => `${countries.of(code)} (${code})`,
  clause: (name) => `the visitor was in ${name}`,
  none: 'the country is unknown',
})

export const region = listedOrUnknown({
  of: (facts) => facts.region,
  normalise: withoutCase,
  clause: (name) => `the visitor was in the region ${name}`,
  none: 'the region is unknown',
})

const languages = new Intl.DisplayNames('en', { type: 'language' })

function nameLanguage(tag: string): string {
  try {
    const [canonical = tag] = Intl.getCanonicalLocales(tag)
    return `${languages.of(canonical)} (${canonical})`
  } catch {
    // A header need not have a tag.
    return tag
  }
}

const languageOf = ({ acceptLanguage }: Facts) =>
  acceptLanguage === undefined ? undefined : preferredLanguage(acceptLanguage)

/** A header without any language is one that says nothing. */
export const language: Kind<string[]> = {
  compile(tags) {
    const wanted = tags.map(withoutCase)
    return (facts) => {
      const preferred = languageOf(facts)
      return preferred === undefined ? UNKNOWN : known(wanted.some((tag) => preferred.names.has(tag)))
    }
  },
  see(facts) {
    const saw = languageOf(facts)?.tag ?? null
    const clause =
      saw === null ? 'the language is unknown' : `the browser preferred ${nameLanguage(saw)} to other languages`
    return { saw, clause }
  },
  asks: (tags) => eitherOf(tags.map(nameLanguage)),
}
