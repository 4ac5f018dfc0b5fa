import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { Answering, createEmbeddedAnswerer } from '../../src/modules/chat/answering/index.ts'
import { createAnalyser, stem, Terms, tokenize } from '../../src/modules/knowledge/article-search/index.ts'
import { selectPassageLists } from '../../src/modules/knowledge/passages/index.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import { newId, type OrgId } from '../../src/platform/ids/index.ts'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { LatencyHistogram } from '../support/latency-histogram.ts'
import { settle } from '../support/settle.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'
import { type Corpus, readCorpus } from './corpus.ts'
import { type EvaluatedAnswer, evaluate, toAsked } from './evaluate.ts'
import { createOwner, generateArticles, PUBLIC_URL, storeArticles } from './fill.ts'
import { type EvaluatedQuestion, QUESTIONS } from './questions.ts'
import { measureReal, PARTS } from './real/index.ts'

export const about = 'answers of the embedded answerer: right article, right passage, refusals, and latency'

const AIMS = { article: 0.9, passage: 0.8, refused: 0.9, p99Ms: 100 }
const WARM_UP = 30
const BARE_LIMIT = 25

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      articles: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '3' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      real: { type: 'boolean', default: false },
      sets: { type: 'string', default: 'seen,unseen' },
      verbose: { type: 'boolean', default: false },
    },
  })
  if (values.real) {
    const parts = PARTS.filter((part) => values.sets.split(',').includes(part))
    const missed = await measureReal(parts, values.verbose)
    if (missed.length > 0) throw new Error(`aims missed: ${missed.join('; ')}`)
    return
  }
  const missed: string[] = []
  const measured: EvaluatedAnswer[][] = []
  const corpus = await readCorpus(newId())
  const measure = async (engine: string, location: DatabaseLocation) => {
    const { outcomes, p99Ms } = await measureEngine(
      engine,
      location,
      corpus,
      Number(values.articles),
      Number(values.rounds),
    )
    missed.push(...report(engine, outcomes))
    if (values.verbose) reportMistakes(outcomes)
    if (p99Ms > AIMS.p99Ms) missed.push(`${engine}: p99 ${ms(p99Ms)}`)
    measured.push(outcomes)
  }
  if (values.engines.includes('sqlite')) {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
    try {
      await measure('SQLite', { file: join(folder, 'waymark.db') })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  if (values.engines.includes('postgres')) {
    await using postgres = await startPostgres()
    await measure('PostgreSQL', { url: postgres.url('postgres') })
  }
  const [first, ...others] = measured
  for (const other of others) {
    const different = other.filter(({ text }, n) => text !== first?.[n]?.text)
    console.log(`\nAnswers that differ between the engines: ${different.length} of ${other.length}`)
    if (different.length > 0) missed.push(`${different.length} answers differ between the engines`)
  }
  if (missed.length > 0) throw new Error(`aims missed: ${missed.join('; ')}`)
}

async function measureEngine(
  engine: string,
  location: DatabaseLocation,
  corpus: Corpus,
  articles: number,
  rounds: number,
): Promise<{ outcomes: EvaluatedAnswer[]; p99Ms: number }> {
  const database = await openDatabase(location)
  const analyser = createAnalyser()
  try {
    await migrate(database)
    const [base] = corpus.articles
    const small = await createOwner(database, 'small', base?.knowledge_base_id ?? newId())
    await storeArticles(database, analyser, small, corpus.articles)
    const { read } = database
    const answering = new Answering({ read, publicUrlOf: () => PUBLIC_URL, embedded: createEmbeddedAnswerer() })
    const outcomes: EvaluatedAnswer[] = []
    for (const question of QUESTIONS) outcomes.push(await evaluate(read, answering, small, corpus.keys, question))
    if (articles === 0) return { outcomes, p99Ms: 0 }

    const largeBase = newId()
    const large = await createOwner(database, 'large', largeBase)
    await storeArticles(database, analyser, large, generateArticles(corpus.articles, largeBase, articles))
    await settle(database, location)
    const p99Ms = await measureLatency(engine, database, answering, large, articles, rounds)
    return { outcomes, p99Ms }
  } finally {
    await analyser.close()
    await database.close()
  }
}

async function measureLatency(
  engine: string,
  database: Database,
  answering: Answering,
  orgId: OrgId,
  articles: number,
  rounds: number,
): Promise<number> {
  const { signal } = new AbortController()
  const [bare, asked] = [new LatencyHistogram(), new LatencyHistogram()]
  const each = Array.from({ length: rounds }, () => QUESTIONS).flat()
  for (const [n, question] of [...QUESTIONS.slice(0, WARM_UP), ...each].entries()) {
    const bareMs = await time(() => searchBare(database, orgId, question))
    const askedMs = await time(() => answering.ask(toAsked(orgId, question), { signal }))
    if (n < WARM_UP) continue
    bare.add(bareMs)
    asked.add(askedMs)
  }
  const passages = await sql<{ n: number }>`select count(*) as n from article_passages where org_id = ${orgId}`.execute(
    database.kysely,
  )
  const title = `${engine}, ${whole(articles)} articles, ${whole(passages.rows[0]?.n ?? 0)} passages`
  const cells = [bare.at(0.5), bare.at(0.99), asked.at(0.5), asked.at(0.99), asked.maxMs].map(ms)
  printTable(
    [title, 'bare p50', 'p99', 'answer p50', 'p99', 'max', 'vs bare'],
    [['all questions', ...cells, `× ${ratio(asked.at(0.5) / bare.at(0.5))}`]],
  )
  return asked.at(0.99)
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** The bare query: one page of the passages that have any of the words, unranked. */
async function searchBare({ read }: Database, orgId: OrgId, { language, text }: EvaluatedQuestion): Promise<void> {
  const terms = new Terms(orgId)
  const words = [...tokenize(text, false)].map((token) => terms.anyForm(language, stem(token.text, language)))
  await selectPassageLists(read, orgId, [[words]], BARE_LIMIT)
}

/** The threshold is calibrated with every second question; the others check it. */
const isCalibrating = (_: unknown, index: number): boolean => index % 2 === 0

/** Prints the shares and returns the aims that are missed. */
function report(engine: string, outcomes: readonly EvaluatedAnswer[]): string[] {
  const missed: string[] = []
  const lines: [string, readonly EvaluatedAnswer[]][] = [
    ['calibration half', outcomes.filter(isCalibrating)],
    ['held-out half', outcomes.filter((_, index) => !isCalibrating(_, index))],
    ['all', outcomes],
    ...Array.from(
      Map.groupBy(outcomes, ({ question }) => question.language),
      ([language, those]): [string, EvaluatedAnswer[]] => [`… in ${language}`, those],
    ),
    ['… follow-ups', outcomes.filter(({ question }) => question.after.length > 0)],
  ]
  const rows = lines.map(([name, those]) => {
    const { article, passage, refused } = sharesOf(those)
    if (name.endsWith('half')) {
      if (article < AIMS.article) missed.push(`${engine}, ${name}: right article ${percent(article)}`)
      if (passage < AIMS.passage) missed.push(`${engine}, ${name}: right passage ${percent(passage)}`)
      if (refused < AIMS.refused) missed.push(`${engine}, ${name}: refused ${percent(refused)}`)
    }
    return [name, whole(those.length), percent(article), percent(passage), percent(refused)]
  })
  printTable([engine, 'questions', 'right article', 'right passage', 'refused'], rows)
  return missed
}

function sharesOf(outcomes: readonly EvaluatedAnswer[]): { article: number; passage: number; refused: number } {
  const answerable = outcomes.filter(({ question }) => question.article !== null)
  const unanswerable = outcomes.filter(({ question }) => question.article === null)
  const share = (of: readonly EvaluatedAnswer[], has: (outcome: EvaluatedAnswer) => boolean) =>
    of.length === 0 ? 1 : of.filter(has).length / of.length
  return {
    article: share(answerable, ({ isRightArticle }) => isRightArticle),
    passage: share(answerable, ({ isRightPassage }) => isRightPassage),
    refused: share(unanswerable, ({ isAnswered }) => !isAnswered),
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

function reportMistakes(outcomes: readonly EvaluatedAnswer[]): void {
  for (const [n, { question, isAnswered, article, isRightPassage, confidence }] of outcomes.entries()) {
    const isRight = question.article === null ? !isAnswered : isRightPassage
    // The mistakes of the other half stay unknown, so that it can still check the answers.
    if (isRight || !isCalibrating(undefined, n)) continue
    const found = `${isAnswered ? 'answered from' : 'refused, nearest'} ${article} (${confidence})`
    console.log(`${question.language}: ${question.text}\n  wanted ${question.article}; ${found}`)
  }
}
