/** Checks the texts in `locales`: what is missing, what does not fit the English text, and what nothing uses. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { LANGUAGES } from '../src/platform/contract/languages.ts'
import { checkLocales, WORD_LISTS } from './texts/check-locales.ts'
import { findUnusedTexts } from './texts/unused-texts.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LOCALES = join(ROOT, 'locales')

const find = (pattern: string) => globSync(pattern, { cwd: ROOT }).map((path) => join(ROOT, path))
const read = (path: string) => readFileSync(path, 'utf8')

/** A file that imports English texts, and all files beside and below it, which alone may use them. */
function sourcesWithTexts(): string[] {
  const sources = find('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  const rooms = sources
    .filter((path) => /from '[./]+\/locales\/en\//.test(read(path)))
    .map((path) => `${dirname(path)}/`)
  return sources.filter((path) => rooms.some((room) => path.startsWith(room)))
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT).options
}

const problems = checkLocales(LOCALES, LANGUAGES)
const unused = findUnusedTexts(
  find('locales/en/*.json').filter((path) => !WORD_LISTS.includes(basename(path))),
  sourcesWithTexts(),
  find('src/**/browser/*.js').map(read),
  readOptions(),
)
for (const [path, keys] of unused) {
  const file = path.slice(LOCALES.length + 1)
  problems.set(file, [...(problems.get(file) ?? []), ...keys.map((key) => `${key} is not used`)])
}

for (const [file, sentences] of problems) {
  if (sentences.length === 0) continue
  console.log(`locales/${file}\n${sentences.map((sentence) => `  ${sentence}`).join('\n')}`)
  process.exitCode = 1
}
