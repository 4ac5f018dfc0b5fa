/** Compares the texts of a surface in one language with those in English. */

/** One text, or its plural forms. */
type Text = string | Record<string, string>
export interface Tree {
  [key: string]: Text | Tree
}

/** No language needs more numbers to show all forms that it has for whole numbers. */
const NUMBERS = Array.from({ length: 1000 }, (_, n) => n)

const isText = (value: unknown): value is Text =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && Object.hasOwn(value, 'other'))

/** Returns every text by its key, such as `form.sent.title`. */
export const textsByKey = (tree: Tree, path = ''): Map<string, Text> =>
  new Map(
    Object.entries(tree).flatMap(([name, value]) =>
      isText(value) ? [[path + name, value] as const] : [...textsByKey(value, `${path}${name}.`)],
    ),
  )

/** Returns what is wrong with the texts of a language, a sentence each. English is compared with itself. */
export function compareTexts(language: string, translated: Tree, english: Tree): string[] {
  const originals = textsByKey(english)
  const texts = textsByKey(translated)
  const missing = [...originals.keys()].filter((key) => !texts.has(key)).map((key) => `${key} is missing`)
  const superfluous = [...texts.keys()].filter((key) => !originals.has(key)).map((key) => `${key} is not in English`)
  const common = [...texts].filter(([key]) => originals.has(key))
  const wrong = common.flatMap(([key, text]) =>
    problemsOf(language, text, originals.get(key) ?? '').map((problem) => `${key} ${problem}`),
  )
  const order = [...originals.keys()].filter((key) => texts.has(key))
  const moved = common.find(([key], index) => key !== order[index])
  const misplaced = moved === undefined ? [] : [`${moved[0]} is at another place than in English`]
  return [...missing, ...superfluous, ...wrong, ...misplaced]
}

function problemsOf(language: string, text: Text, original: Text): string[] {
  if (typeof text === 'string' && typeof original === 'string') {
    return [...problemsOfWording(text), ...mismatch(text, original), ...problemOfSentence(language, text, original)]
  }
  if (typeof text === 'string') return ['needs plural forms']
  if (typeof original === 'string') return ['has plural forms, but English has one text']
  return [
    ...problemsOfForms(language, text),
    ...Object.values(text).flatMap(problemsOfWording),
    ...placeholdersOfForms(text, original),
  ]
}

/** We do not shout, and a space at the end is always a mistake. */
function problemsOfWording(text: string): string[] {
  if (text.trim() === '') return ['is empty']
  if (text !== text.trim()) return ['begins or ends with a space']
  return /[!！]/.test(text) ? ['has an exclamation mark'] : []
}

/** One or two words can be the same in two languages. */
const problemOfSentence = (language: string, text: string, original: string): string[] =>
  language !== 'en' && wordsOf(original).length >= 3 && text === original ? ['is still in English'] : []

const wordsOf = (text: string) => text.replace(/\{\w+\}/g, '').match(/\p{L}+/gu) ?? []

/** Placeholders as in `{name}` and `{{product.name|this product}}`, whose fallback is translated. */
const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(/\{\{[\w.]+\||\{\w+\}/g)].map(([found]) => found.replace(/\|$/, '|…}}')).sort()

const named = (placeholders: readonly string[]): string => placeholders.join(' and ') || 'no placeholder'

function mismatch(text: string, original: string): string[] {
  const [own, expected] = [placeholdersOf(text), placeholdersOf(original)]
  if (own.join() !== expected.join()) return [`has ${named(own)}, but English has ${named(expected)}`]
  return /[{}|]/.test(text.replace(/\{\{[\w.]+\|[^{}|]+\}\}|\{\w+\}/g, '')) ? ['has a malformed placeholder'] : []
}

/** A form for one or two things may leave out their number. */
function placeholdersOfForms(
  { other = '', ...forms }: Record<string, string>,
  original: Record<string, string>,
): string[] {
  const expected = placeholdersOf(original.other ?? '')
  const unknown = Object.values(forms)
    .flatMap(placeholdersOf)
    .filter((name) => !expected.includes(name))
  return [
    ...mismatch(other, original.other ?? ''),
    ...unknown.map((name) => `has ${name}, which English does not have`),
  ]
}

function problemsOfForms(language: string, forms: Record<string, string>): string[] {
  const rules = new Intl.PluralRules(language)
  const needed = new Set(['other', ...NUMBERS.map((n) => rules.select(n))])
  const possible: readonly string[] = rules.resolvedOptions().pluralCategories
  return [
    ...[...needed].filter((form) => !Object.hasOwn(forms, form)).map((form) => `has no plural form “${form}”`),
    ...Object.keys(forms)
      .filter((form) => !possible.includes(form))
      .map((form) => `has the plural form “${form}”, which its language does not use`),
  ]
}
