import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAnalyser } from '../../src/modules/knowledge/article-search/index.ts'
import { upsertGroups } from '../../src/modules/knowledge/synonyms/queries.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import { newId } from '../../src/platform/ids/index.ts'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { createOwner, storeArticles } from '../answers/fill.ts'
import { printTable, whole } from '../support/table.ts'
import { storeCategories } from './categories.ts'
import { readQualityCorpus } from './corpus.ts'
import { type EvaluatedSearch, evaluate, percent, sharesOf } from './evaluate.ts'
import { judgeEverydayWords, readOtherDocumentation } from './other-documentation.ts'
import { QUESTIONS, SYNONYMS } from './questions.ts'

export const about = 'how often a search finds the right article, with typos and paraphrases in three languages'

const AIMS = { first: 0.9, firstThree: 0.97, empty: 0 }

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      engines: { type: 'string', default: 'sqlite,postgres' },
      mistakes: { type: 'boolean', default: false },
    },
  })
  const missed: string[] = []
  if (values.engines.includes('sqlite')) {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
    try {
      missed.push(...(await measure('SQLite', { file: join(folder, 'waymark.db') }, values.mistakes)))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  if (values.engines.includes('postgres')) {
    await using postgres = await startPostgres()
    missed.push(...(await measure('PostgreSQL', { url: postgres.url('postgres') }, values.mistakes)))
  }
  if (missed.length > 0) throw new Error(`missed: ${missed.join('; ')}`)
}

async function measure(engine: string, location: DatabaseLocation, isShowing: boolean): Promise<string[]> {
  const database = await openDatabase(location)
  const analyser = createAnalyser()
  try {
    await migrate(database)
    const base = newId()
    const orgId = await createOwner(database, 'searched', base)
    const { articles, categories, keys } = await readQualityCorpus(base)
    await storeArticles(database, analyser, orgId, articles)
    await database.write((tx) => storeCategories(tx, orgId, base, categories))
    const synonyms = { groups: JSON.stringify(SYNONYMS), digest: 'search-quality' }
    await database.write((tx) => upsertGroups(tx, orgId, base, synonyms))
    const outcomes: EvaluatedSearch[] = []
    for (const question of QUESTIONS) outcomes.push(await evaluate(database.readLong, orgId, base, keys, question))
    if (isShowing) showMistakes(outcomes)
    const missed = report(`${engine}, ${articles.length} articles`, outcomes)
    const otherBase = newId()
    const otherOrg = await createOwner(database, 'others', otherBase)
    const other = await readOtherDocumentation(otherBase)
    await storeArticles(database, analyser, otherOrg, other.articles)
    return [...missed, ...(await judgeEverydayWords(database, otherOrg, otherBase, other))]
  } finally {
    await analyser.close()
    await database.close()
  }
}

/** Ranking was tuned with every second question; the others check it. */
const isTuning = (_: unknown, index: number): boolean => index % 2 === 0

/** Prints the shares and returns the aims that are missed. */
function report(title: string, outcomes: readonly EvaluatedSearch[]): string[] {
  const missed: string[] = []
  const lines: [string, readonly EvaluatedSearch[]][] = [
    ['tuning half', outcomes.filter(isTuning)],
    ['unseen half', outcomes.filter((_, index) => !isTuning(_, index))],
    ['all', outcomes],
    ...Array.from(
      Map.groupBy(outcomes, ({ question }) => question.language),
      ([language, those]): [string, EvaluatedSearch[]] => [`… in ${language}`, those],
    ),
  ]
  const rows = lines.map(([name, those]) => {
    const { first, firstThree, empty } = sharesOf(those)
    if (name === 'all' || name.endsWith('half')) {
      if (first < AIMS.first) missed.push(`${title}, ${name}: hit@1 ${percent(first)}`)
      if (firstThree < AIMS.firstThree) missed.push(`${title}, ${name}: hit@3 ${percent(firstThree)}`)
      if (empty > AIMS.empty) missed.push(`${title}, ${name}: ${empty} empty answers`)
    }
    return [name, whole(those.length), percent(first), percent(firstThree), whole(empty)]
  })
  printTable([title, 'questions', 'hit@1', 'hit@3', 'empty'], rows)
  return missed
}

function showMistakes(outcomes: readonly EvaluatedSearch[]): void {
  for (const [n, { question, found, place }] of outcomes.entries()) {
    // The mistakes of the other half stay unknown, so that it can still check the ranking.
    if (place === 1 || !isTuning(undefined, n)) continue
    const instead = found.slice(0, 3).join(', ') || 'nothing'
    console.log(`${question.language}: ${question.q}\n  wanted ${question.article} (place ${place}); found ${instead}`)
  }
}
