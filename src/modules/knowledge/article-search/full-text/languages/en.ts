import { type LanguageRules, wordSet } from './rules.ts'

export const en: LanguageRules = {
  stem: stemEnglish,
  functionWords: wordSet(`
    a an and are as at be by can do does for from had has have how i if in into is it its me my of on or our so that the
    their them then there these they this to us was we were what when where which who why will with would you your
  `),
}

/** Porter's second stemming algorithm ("Porter2"): print, prints, printed and printing have the same stem. */
function stemEnglish(word: string): string {
  if (word.length <= 2) return word
  const special = EXCEPTIONS.get(word)
  if (special !== undefined) return special
  const marked = word.replace(/^y|(?<=[aeiouy])y/g, 'Y')
  const r1 = regionAfter(marked, PREFIX.exec(marked)?.[0].length ?? afterFirst(marked, 0))
  const r2 = regionAfter(marked, afterFirst(marked, r1))
  const singular = step1a(marked)
  if (INVARIANT.has(singular)) return singular
  const rest = [step1b, step1c, step2, step3, step4, step5].reduce((stem, step) => step(stem, r1, r2), singular)
  return rest.toLowerCase()
}

type Step = (word: string, r1: number, r2: number) => string

const EXCEPTIONS = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    sky: 'sky',
    news: 'news',
    howe: 'howe',
    atlas: 'atlas',
    cosmos: 'cosmos',
    bias: 'bias',
    andes: 'andes',
  }),
)
const INVARIANT = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed'])
const PREFIX = /^(?:gener|commun|arsen)/

/** Returns the end of the first consonant that follows a vowel. */
function afterFirst(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from))
  return found === null ? word.length : from + found.index + 2
}
const regionAfter = (word: string, at: number): number => Math.min(at, word.length)

const cut = (word: string, suffix: string, put = ''): string => word.slice(0, word.length - suffix.length) + put
const within = (word: string, suffix: string, region: number): boolean => word.length - suffix.length >= region

function endsShort(word: string): boolean {
  return /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/.test(word)
}

function step1a(word: string): string {
  if (word.endsWith('sses')) return cut(word, 'es')
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  if (/(?:us|ss)$/.test(word)) return word
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word
}

const step1b: Step = (word, r1) => {
  const [eed] = /eed(?:ly)?$/.exec(word) ?? []
  if (eed !== undefined) return within(word, eed, r1) ? cut(word, eed, 'ee') : word
  const [suffix] = /(?:ed|ing)(?:ly)?$/.exec(word) ?? []
  if (suffix === undefined) return word
  const stem = cut(word, suffix)
  if (!/[aeiouy]/.test(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return /^[aeo]..$/.test(stem) ? stem : stem.slice(0, -1)
  return stem.length <= r1 && endsShort(stem) ? `${stem}e` : stem
}

const step1c: Step = (word) => (/.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word)

const STEP2: [suffix: string, put: string][] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
]

const step2: Step = (word, r1) => {
  const found = STEP2.find(([suffix]) => word.endsWith(suffix))
  if (found !== undefined) return within(word, found[0], r1) ? cut(word, ...found) : word
  if (word.endsWith('logi') && within(word, 'ogi', r1)) return cut(word, 'i')
  return /[cdeghkmnrt]li$/.test(word) && within(word, 'li', r1) ? cut(word, 'li') : word
}

const STEP3: [suffix: string, put: string][] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

const step3: Step = (word, r1, r2) => {
  if (word.endsWith('ative')) return within(word, 'ative', r2) ? cut(word, 'ative') : word
  const found = STEP3.find(([suffix]) => word.endsWith(suffix))
  return found !== undefined && within(word, found[0], r1) ? cut(word, ...found) : word
}

const STEP4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|(?<=[st])ion|al|er|ic)$/

const step4: Step = (word, _r1, r2) => {
  const [suffix] = STEP4.exec(word) ?? []
  return suffix !== undefined && within(word, suffix, r2) ? cut(word, suffix) : word
}

const step5: Step = (word, r1, r2) => {
  if (word.endsWith('e')) {
    const stem = word.slice(0, -1)
    return stem.length >= r2 || (stem.length >= r1 && !endsShort(stem)) ? stem : word
  }
  return word.endsWith('ll') && word.length - 1 >= r2 ? word.slice(0, -1) : word
}
