import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareTexts, type Tree, textsByKey } from './compare-texts.ts'

/** Word lists for search. Languages have nothing in common there; tests of search check them. */
export const WORD_LISTS = ['everyday-synonyms.json', 'question-words.json']
/** What translators should know about a text, by file and key. */
const NOTES = 'notes.json'

/** Returns what is wrong with the texts of all languages, by file. */
export function checkLocales(folder: string, languages: readonly string[]): Map<string, string[]> {
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))
  const files = readdirSync(join(folder, 'en'))
  const problems = new Map<string, string[]>()

  for (const language of languages) {
    const own = existsSync(join(folder, language)) ? readdirSync(join(folder, language)) : []
    for (const file of files) {
      const path = `${language}/${file}`
      if (!own.includes(file)) problems.set(path, ['is missing'])
      else if (!WORD_LISTS.includes(file)) problems.set(path, compareTexts(language, read(path), read(`en/${file}`)))
    }
    for (const file of own) if (!files.includes(file)) problems.set(`${language}/${file}`, ['is not in English'])
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !languages.includes(entry.name)) problems.set(entry.name, ['is not in LANGUAGES'])
  }
  const notes: Record<string, Record<string, string>> = read(NOTES)
  const unknown = Object.entries(notes).flatMap(([surface, texts]) => {
    const known = files.includes(`${surface}.json`) ? keysOf(read(`en/${surface}.json`)) : new Set()
    return Object.keys(texts)
      .filter((key) => !known.has(key))
      .map((key) => `${surface}: ${key} is not in English`)
  })
  problems.set(NOTES, unknown)
  return problems
}

/** The keys of texts and of groups of texts, because a note can be about either. */
const keysOf = (tree: Tree): Set<string> =>
  new Set(
    [...textsByKey(tree).keys()].flatMap((key) => {
      const names = key.split('.')
      return names.map((_, index) => names.slice(0, index + 1).join('.'))
    }),
  )
