import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Answering, createEmbeddedAnswerer } from '../../../src/modules/chat/answering/index.ts'
import { createAnalyser } from '../../../src/modules/knowledge/article-search/index.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { openDatabase } from '../../../src/platform/db/open.ts'
import { newId } from '../../../src/platform/ids/index.ts'
import { printTable, whole } from '../../support/table.ts'
import { createOwner, PUBLIC_URL, storeArticles } from '../fill.ts'
import { readDocumentation } from './documentation.ts'
import { evaluateReal, type RealOutcome, requireFacts } from './evaluate.ts'
import { SETS } from './sets/index.ts'

export const HALVES = ['tuning', 'unseen'] as const
type Half = (typeof HALVES)[number]

/** Every second question. The answers are tuned to these; the others check them. */
const halfOf = (index: number): Half => (index % 2 === 0 ? 'tuning' : 'unseen')

const AIMS = { article: 0.85, fact: 0.75, otherPassage: 0.12, neither: 0.03, lost: 0.08, refused: 0.92 }
/** How much worse German may be than English. */
const GERMAN_DISTANCE_MAX = 0.05

interface Shares {
  article: number
  fact: number
  otherPassage: number
  neither: number
  lost: number
  refused: number
}

/** Asks documentation that others wrote, and returns the aims that are missed. */
export async function measureReal(halves: readonly Half[], isVerbose: boolean): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
  const database = await openDatabase({ file: join(folder, 'waymark.db') })
  const analyser = createAnalyser()
  try {
    await migrate(database)
    const answering = new Answering({
      read: database.read,
      publicUrlOf: () => PUBLIC_URL,
      embedded: createEmbeddedAnswerer(),
    })
    const lines: { name: string; half: Half; isGerman: boolean; articles: number; outcomes: RealOutcome[] }[] = []
    for (const [n, set] of SETS.entries()) {
      const base = newId()
      const documentation = await readDocumentation(set, base)
      requireFacts(set.questions, documentation)
      const owner = await createOwner(database, `set-${n}`, base)
      await storeArticles(database, analyser, owner, documentation.articles)
      for (const half of halves) {
        const outcomes: RealOutcome[] = []
        for (const question of set.questions.filter((_, index) => halfOf(index) === half)) {
          outcomes.push(await evaluateReal(answering, owner, documentation, set.language, question))
        }
        const articles = documentation.articles.length
        lines.push({ name: set.name, half, isGerman: set.language === 'de', articles, outcomes })
      }
    }
    const missed: string[] = []
    for (const half of halves) {
      const own = lines.filter((line) => line.half === half)
      const english = own.filter(({ isGerman }) => !isGerman).flatMap(({ outcomes }) => outcomes)
      const german = own.filter(({ isGerman }) => isGerman).flatMap(({ outcomes }) => outcomes)
      printTable(
        [
          `${half} half`,
          'articles',
          'questions',
          'right article',
          'fact',
          'other passage',
          'neither',
          'lost',
          'refused',
        ],
        [
          ...own.map(({ name, articles, outcomes }) => [name, whole(articles), ...cellsOf(outcomes)]),
          ['all English', '', ...cellsOf(english)],
        ],
      )
      // What is tuned is no evidence.
      if (half === 'unseen') missed.push(...missedAims(sharesOf(english), sharesOf(german)))
      // The mistakes of the other half stay unknown, so that it can still check the answers.
      if (half === 'tuning' && isVerbose) for (const { name, outcomes } of own) reportMistakes(name, outcomes)
    }
    return missed
  } finally {
    await analyser.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const cellsOf = (outcomes: readonly RealOutcome[]): string[] => {
  const { article, fact, otherPassage, neither, lost, refused } = sharesOf(outcomes)
  return [whole(outcomes.length), ...[article, fact, otherPassage, neither, lost, refused].map(percent)]
}

/** An answer has the fact, is from another passage of a right article, or has neither; otherwise the question is lost. */
function sharesOf(outcomes: readonly RealOutcome[]): Shares {
  const [documented, others] = [true, false].map((is) =>
    outcomes.filter(({ question }) => question.articles.length > 0 === is),
  ) as [RealOutcome[], RealOutcome[]]
  const share = (of: readonly RealOutcome[], has: (outcome: RealOutcome) => boolean) =>
    of.length === 0 ? 1 : of.filter(has).length / of.length
  return {
    article: share(documented, ({ isRightArticle }) => isRightArticle),
    fact: share(documented, ({ hasFact }) => hasFact),
    otherPassage: share(documented, ({ isRightArticle, hasFact }) => isRightArticle && !hasFact),
    neither: share(documented, (each) => each.isAnswered && !each.isRightArticle && !each.hasFact),
    lost: share(documented, ({ isAnswered }) => !isAnswered),
    refused: share(others, ({ isAnswered }) => !isAnswered),
  }
}

function missedAims(english: Shares, german: Shares): string[] {
  const missed: string[] = []
  for (const name of ['article', 'fact', 'refused'] as const) {
    if (english[name] < AIMS[name]) missed.push(`English, ${name}: ${percent(english[name])}`)
    if (german[name] < english[name] - GERMAN_DISTANCE_MAX) missed.push(`German, ${name}: ${percent(german[name])}`)
  }
  for (const name of ['otherPassage', 'neither', 'lost'] as const) {
    if (english[name] > AIMS[name]) missed.push(`English, ${name}: ${percent(english[name])}`)
  }
  return missed
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

function reportMistakes(name: string, outcomes: readonly RealOutcome[]): void {
  for (const { question, isAnswered, article, isRightArticle, hasFact, text } of outcomes) {
    if (question.articles.length === 0 ? !isAnswered : isRightArticle && hasFact) continue
    const wanted =
      question.articles.length === 0 ? 'no answer' : `"${question.fact}" of ${question.articles.join(', ')}`
    const found = `${isAnswered ? 'answered from' : 'refused, nearest'} ${article}`
    console.log(
      `${name}: ${question.text}\n  wanted ${wanted}; ${found}\n  ${text.slice(0, 200).replaceAll('\n', ' ')}`,
    )
  }
}
