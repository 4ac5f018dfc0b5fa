import { BEFORE_PATH, PLACEHOLDER_NAMES, PLACEHOLDERS, type Placeholder } from './contract.ts'
import { type DigitalLink, escapeValue } from './digital-link.ts'

/** Destinations of products and objects are stored as URIs, which have no braces. */
const PLACEHOLDER = new RegExp(`(?:\\{|%7[Bb])(${PLACEHOLDER_NAMES.join('|')})(?:\\}|%7[Dd])`, 'g')

export const placeholdersOf = (address: string): Placeholder[] =>
  [...address.matchAll(PLACEHOLDER)].map(([, name]) => name as Placeholder)

/** Fills the placeholders of an address. Undefined if the link has no value for one of them, unless there is a substitute. */
export type FillAddress = (address: string, substitute?: string) => string | undefined

/**
 * Values are always percent-encoded, and only inserted behind the host, so they can change neither the scheme nor the host.
 * `rest` is percent-encoded already.
 */
export function fillerFor({ key, value, qualifiers }: DigitalLink, rest: string | undefined): FillAddress {
  const valueOfAi = (ai: string) => (ai === key ? value : qualifiers.find(([each]) => each === ai)?.[1])
  const find = (name: Placeholder): string | undefined => {
    if (name === 'rest') return rest
    const found = name === 'key' ? value : PLACEHOLDERS[name].map(valueOfAi).find((each) => each !== undefined)
    return found === undefined ? undefined : escapeValue(found)
  }
  return (address, substitute) => {
    // Nearly every address: every scan comes through here.
    if (!address.includes('{') && !address.includes('%7')) return address
    const path = BEFORE_PATH.exec(address)?.[0].length ?? 0
    let isComplete = true
    const filled = address.slice(path).replace(PLACEHOLDER, (_, name: Placeholder) => {
      const inserted = find(name)
      // Browsers take a part of a path that is a dot or two for another folder, also if it is percent-encoded.
      const isUsable = inserted !== undefined && inserted !== '.' && inserted !== '..'
      isComplete &&= isUsable
      return isUsable ? inserted : (substitute ?? '')
    })
    return isComplete || substitute !== undefined ? address.slice(0, path) + filled : undefined
  }
}
