import type { Language } from '../../../../src/platform/contract/languages.ts'
import { COMMANDER } from './commander.ts'
import { FASTIFY } from './fastify.ts'
import { GERMAN } from './german.ts'
import { PINO } from './pino.ts'
import type { RealQuestion } from './question.ts'
import { UNDICI } from './undici.ts'

export interface DocumentationSet {
  name: string
  language: Language
  /** A folder of Markdown, or one file. It is read in place, so that nothing is copied. */
  source: string
  /** Headings of these levels begin an article of their own. Empty: every file is one article. */
  splitLevels: readonly number[]
  questions: readonly RealQuestion[]
}

const MODULES = new URL('../../../../node_modules/', import.meta.url).pathname

export const SETS: readonly DocumentationSet[] = [
  {
    name: 'commander',
    source: `${MODULES}commander/Readme.md`,
    splitLevels: [2, 3],
    language: 'en',
    questions: COMMANDER,
  },
  { name: 'fastify', source: `${MODULES}fastify/docs`, splitLevels: [], language: 'en', questions: FASTIFY },
  { name: 'pino', source: `${MODULES}pino/docs`, splitLevels: [2], language: 'en', questions: PINO },
  { name: 'undici', source: `${MODULES}undici/docs/docs`, splitLevels: [], language: 'en', questions: UNDICI },
  {
    name: 'German (our own)',
    source: new URL('german.md', import.meta.url).pathname,
    splitLevels: [2],
    language: 'de',
    questions: GERMAN,
  },
]
