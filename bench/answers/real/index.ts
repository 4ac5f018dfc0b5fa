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
import { type DocumentationSet, SETS } from './sets/index.ts'

export const PARTS = ['seen', 'unseen'] as const
type Part = (typeof PARTS)[number]

const AIMS = { article: 0.85, fact: 0.75, otherPassage: 0.12, neither: 0.03, lost: 0.08, refused: 0.92 }
/** How much worse German may be than English. */
const GERMAN_DISTANCE_MAX = 0.05

interface Shares {
  article: number
  fact: number
  otherPassage: number
  neither: number
  lost: number
  /** Of all documented questions: lost, but a right article is linked below "I don't know". */
  linked: number
  refused: number
}

/** Asks documentation that others wrote, and returns the aims that are missed. */
export async function measureReal(parts: readonly Part[], isVerbose: boolean): Promise<string[]> {
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
    const lines: { set: DocumentationSet; part: Part; articles: number; outcomes: RealOutcome[] }[] = []
    for (const set of SETS) {
      const base = newId()
      const documentation = await readDocumentation(set, base)
      requireFacts(set.questions, documentation)
      const owner = await createOwner(database, base, base)
      await storeArticles(database, analyser, owner, documentation.articles)
      for (const part of parts) {
        const outcomes: RealOutcome[] = []
        for (const question of set.questions.filter((_, index) => partOf(set, index) === part)) {
          outcomes.push(await evaluateReal(answering, owner, documentation, set.language, question))
        }
        if (outcomes.length > 0) lines.push({ set, part, articles: documentation.articles.length, outcomes })
      }
    }
    const missed: string[] = []
    for (const part of parts) {
      const own = lines.filter((line) => line.part === part)
      const [german = [], english = []] = [true, false].map((isGerman) =>
        own.filter(({ set }) => (set.language === 'de') === isGerman).flatMap(({ outcomes }) => outcomes),
      )
      printTable(
        [
          part,
          'articles',
          'questions',
          'right article',
          'fact',
          'other passage',
          'neither',
          'lost',
          'linked',
          'refused',
        ],
        [
          ...own.map(({ set, articles, outcomes }) => [set.name, whole(articles), ...cellsOf(outcomes)]),
          ['all English', '', ...cellsOf(english)],
        ],
      )
      // What was tuned is no evidence.
      if (part === 'unseen') missed.push(...missedAims(sharesOf(english), sharesOf(german)))
      // The mistakes of the others stay unknown, so that they can still check the answers.
      if (part === 'seen' && isVerbose) for (const { set, outcomes } of own) reportMistakes(set.name, outcomes)
    }
    return missed
  } finally {
    await analyser.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const partOf = ({ seen }: DocumentationSet, index: number): Part =>
  seen === 'all' || index % 2 === 0 ? 'seen' : 'unseen'

const cellsOf = (outcomes: readonly RealOutcome[]): string[] => {
  const { article, fact, otherPassage, neither, lost, linked, refused } = sharesOf(outcomes)
  return [whole(outcomes.length), ...[article, fact, otherPassage, neither, lost, linked, refused].map(percent)]
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
    linked: share(documented, ({ isLinked }) => isLinked),
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
      question.articles.length === 0 ? 'no answer' : `"${question.facts[0]}" of ${question.articles.join(', ')}`
    const found = `${isAnswered ? 'answered from' : 'refused, nearest'} ${article}`
    console.log(
      `${name}: ${question.text}\n  wanted ${wanted}; ${found}\n  ${text.slice(0, 200).replaceAll('\n', ' ')}`,
    )
  }
}
