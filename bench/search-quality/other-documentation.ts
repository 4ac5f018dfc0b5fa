import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../src/platform/db/index.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'
import { newId } from '../../src/platform/ids/index.ts'
import { createRenderer } from '../../src/platform/markdown/renderer.ts'
import type { SearchableArticle } from '../../src/testing/data/published-articles.ts'
import { printTable, whole } from '../support/table.ts'
import { evaluate, percent, sharesOf } from './evaluate.ts'
import type { SearchQuestion } from './questions.ts'

/** Documentation that packages of ours come with, written by others for other readers. */
const PACKAGES = ['fastify', 'pino']
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** What people ask who do not know the words of the documentation. A key is a package and the name of a file. */
const QUESTIONS = `
fastify/Getting-Started | begin
fastify/Migration-Guide-V5 | manual for v5 migration
fastify/Plugins-Guide | plugins manual
fastify/Style-Guide | style instructions
fastify/Errors | faults
fastify/Errors | list of failures
fastify/Errors | problem codes
fastify/Logging | deactivate logging
fastify/Delay-Accepting-Requests | wait before begin accepting requests
fastify/Detecting-When-Clients-Abort | client connection halted abort
fastify/Server | server preferences
fastify/Server | server settings
fastify/Database | db connect issue database
fastify/Write-Plugin | build plugin manual
pino/browser | chrome
pino/redaction | erase secrets redaction
pino/redaction | get rid of sensitive keys
pino/benchmarks | performance
pino/help | exit problem log rotation
pino/pretty | pretty installation
`

export async function readOtherDocumentation(
  knowledgeBaseId: string,
): Promise<{ articles: SearchableArticle[]; keys: Map<string, string> }> {
  const { toPlain } = createRenderer()
  const keys = new Map<string, string>()
  const articles: SearchableArticle[] = []
  for (const name of PACKAGES) {
    const folder = join(MODULES, name, 'docs')
    const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!index)\.md$/i.test(file)).sort()
    for (const file of files) {
      const content = await readFile(join(folder, file), 'utf8')
      const own = basename(file, '.md')
      const id = newId()
      keys.set(id, `${name}/${own}`)
      const text = { language: 'en', title: own.replaceAll('-', ' '), content, plain: toPlain(content) }
      articles.push({ id, knowledge_base_id: knowledgeBaseId, visibility: 'public', texts: [text] })
    }
  }
  return { articles, keys }
}

/** Everyday words must find more, and the words of the titles no less. Returns the aims that are missed. */
export async function judgeEverydayWords(
  database: Database,
  orgId: OrgId,
  knowledgeBaseId: string,
  { articles, keys }: Awaited<ReturnType<typeof readOtherDocumentation>>,
): Promise<string[]> {
  const asked = QUESTIONS.trim()
    .split('\n')
    .map((line): SearchQuestion => {
      const [article = '', q = ''] = line.split('|').map((part) => part.trim())
      return { language: 'en', q, article }
    })
  const titles = articles.map(
    ({ id, texts }): SearchQuestion => ({
      language: 'en',
      q: texts[0]?.title ?? '',
      article: keys.get(id) ?? '',
    }),
  )
  const rows: string[][] = []
  const shares = new Map<string, ReturnType<typeof sharesOf>>()
  for (const everyday_synonyms of [false, true]) {
    await database.write(async (tx) => {
      const update = tx.updateTable('knowledge_bases').set({ everyday_synonyms }).where('org_id', '=', orgId)
      await update.where('id', '=', knowledgeBaseId).execute()
    })
    for (const [name, questions] of [
      ['everyday words', asked],
      ['titles', titles],
    ] as const) {
      const outcomes = []
      for (const question of questions)
        outcomes.push(await evaluate(database.readLong, orgId, knowledgeBaseId, keys, question))
      const found = sharesOf(outcomes)
      shares.set(`${name} ${everyday_synonyms}`, found)
      const state = everyday_synonyms ? 'on' : 'off'
      rows.push([
        `${name}, synonyms ${state}`,
        whole(questions.length),
        percent(found.first),
        percent(found.firstThree),
        whole(found.empty),
      ])
    }
  }
  printTable([`documentation of ${PACKAGES.join(' and ')}`, 'questions', 'hit@1', 'hit@3', 'empty'], rows)
  const missed: string[] = []
  for (const name of ['everyday words', 'titles'] as const) {
    for (const share of ['first', 'firstThree'] as const) {
      const [off = 0, on = 0] = [false, true].map((state) => shares.get(`${name} ${state}`)?.[share])
      if (on < off) missed.push(`${name}: ${share} ${percent(on)} with everyday synonyms, ${percent(off)} without`)
    }
  }
  return missed
}
