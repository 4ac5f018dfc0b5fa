import type { Language } from '../../../../src/platform/contract/languages.ts'
import { COMMANDER } from './commander.ts'
import { FASTIFY } from './fastify.ts'
import { GERMAN } from './german.ts'
import { GERMAN_AGAIN } from './german-again.ts'
import { PACKAGES } from './packages.ts'
import { PINO } from './pino.ts'
import type { RealQuestion } from './question.ts'
import { SANITIZE_HTML } from './sanitize-html.ts'
import { UNDICI } from './undici.ts'
import { WINSTON } from './winston.ts'

export interface DocumentationSet {
  name: string
  /** The questions whose answers have been looked at, so that answers may have been tuned to them. */
  seen: 'all' | 'every second'
  language: Language
  /** A folder of Markdown, one file, or the one files of several packages. They are read in place, so that nothing is copied. */
  source: string | readonly string[]
  /** Headings of these levels begin an article of their own. Empty: every file is one article. */
  splitLevels: readonly number[]
  questions: readonly RealQuestion[]
}

const MODULES = new URL('../../../../node_modules/', import.meta.url).pathname
const GERMAN_SOURCE = new URL('german.md', import.meta.url).pathname
const README_OF = [
  ...['semver', 'prom-client', 'fflate', 'find-my-way', 'fast-xml-parser', 'diff', 'debug', 'picomatch', 'tinybench'],
  ...['magic-string', 'zxing-wasm', 'ipaddr.js', 'streamx'],
]

export const SETS: readonly DocumentationSet[] = [
  {
    name: 'commander',
    seen: 'all',
    language: 'en',
    source: `${MODULES}commander/Readme.md`,
    splitLevels: [2, 3],
    questions: COMMANDER,
  },
  {
    name: 'fastify',
    seen: 'all',
    language: 'en',
    source: `${MODULES}fastify/docs`,
    splitLevels: [],
    questions: FASTIFY,
  },
  { name: 'pino', seen: 'all', language: 'en', source: `${MODULES}pino/docs`, splitLevels: [2], questions: PINO },
  {
    name: 'undici',
    seen: 'all',
    language: 'en',
    source: `${MODULES}undici/docs/docs`,
    splitLevels: [],
    questions: UNDICI,
  },
  {
    name: 'German (our own)',
    seen: 'all',
    language: 'de',
    source: GERMAN_SOURCE,
    splitLevels: [2],
    questions: GERMAN,
  },
  {
    name: 'sanitize-html',
    seen: 'every second',
    language: 'en',
    source: `${MODULES}sanitize-html/README.md`,
    splitLevels: [2, 3],
    questions: SANITIZE_HTML,
  },
  {
    name: 'winston',
    seen: 'every second',
    language: 'en',
    source: `${MODULES}winston/README.md`,
    splitLevels: [2, 3],
    questions: WINSTON,
  },
  {
    name: '14 packages',
    seen: 'every second',
    language: 'en',
    source: [...README_OF.map((name) => `${MODULES}${name}/README.md`), `${MODULES}koa/Readme.md`],
    splitLevels: [],
    questions: PACKAGES,
  },
  {
    name: 'German (our own), again',
    seen: 'every second',
    language: 'de',
    source: GERMAN_SOURCE,
    splitLevels: [2],
    questions: GERMAN_AGAIN,
  },
]
