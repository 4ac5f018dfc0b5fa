import { z } from 'zod'

/** They have a name in Intl, but are no country of a visitor. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Returns the code that programs use for a country: GB for uk. Undefined if no country has it. */
function canonicalCountry(code: string): string | undefined {
  if (!/^[A-Za-z]{2}$/.test(code)) return undefined
  const { region } = new Intl.Locale(`und-${code}`)
  return region === undefined || names.of(region) === undefined || NO_COUNTRIES.has(region) ? undefined : region
}

export const CountryCode = z
  .string()
  .refine((code) => canonicalCountry(code) !== undefined, { error: 'Must be a country code such as DE' })
  .overwrite((code) => canonicalCountry(code) ?? code)
  .meta({
    description: 'A country, as a code of ISO 3166-1 with two letters.',
    minLength: 2,
    maxLength: 2,
    examples: ['DE'],
  })
