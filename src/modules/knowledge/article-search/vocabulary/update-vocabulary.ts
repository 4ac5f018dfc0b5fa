import type { Database, Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import type { Analyser } from '../index/analyser.ts'
import type { FiledKeys } from './misspelling-keys.ts'
import {
  addToCounts,
  clearCounts,
  deleteAnyLists,
  deleteLists,
  deleteMisspellings,
  hasUncountedLists,
  insertMisspellings,
  type KeyedWord,
  lockNewLists,
  lockUnwantedLists,
  lockVocabulary,
  selectUnsettled,
  setCounted,
  settleWords,
  type WordList,
} from './word-list-queries.ts'

/**
 * The vocabulary follows the indexed texts in small steps, so that each transaction is short. What is left to do is
 * stored, and each step is done once or has no effect when repeated: a crash neither loses nor repeats a count.
 *
 * - A word list is new → counted → unwanted → deleted, or new → unwanted → deleted if its text left the index early.
 * - A word is unsettled → settled when its misspellings are stored; unsettled again when no text contains it any more →
 *   deleted with its misspellings.
 */

/** Runs a transaction for the organisation. */
export type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** What one transaction counts: a few milliseconds on SQLite. On PostgreSQL, no one waits for it to end. */
const LISTS_MAX = 50
const LISTS_LENGTH_MAX = { sqlite: 6000, postgres: 24_000 }

/**
 * How many words to settle at once, and how many changes to make with a statement. On SQLite a transaction has one such
 * statement, and the words are many, because their misspellings are stored in order: the more there are, the more of
 * them share a page. On PostgreSQL, no one waits for a transaction to end, and another worker could change the same
 * words between two: it is one transaction with few words.
 */
const SETTLING = {
  sqlite: { wordsMax: 5000, changesMax: 500 },
  postgres: { wordsMax: 1500, changesMax: 5000 },
}

/**
 * Counts the words of some texts that were indexed or removed. Returns false if there are none. New texts come first:
 * otherwise, an indexed change of a text would delete its words and add them again.
 */
export async function countWords({ read, engine }: Database, write: Write, orgId: OrgId): Promise<boolean> {
  if (!(await hasUncountedLists(read, orgId))) return false
  const lengthMax = LISTS_LENGTH_MAX[engine]
  await write(async (tx) => {
    await lockVocabulary(tx, orgId)
    const added = idsOf(firstOf(await lockNewLists(tx, orgId, LISTS_MAX), lengthMax))
    if (added.length > 0) {
      await addToCounts(tx, orgId, added, 1)
      await setCounted(tx, orgId, added)
      return
    }
    const unwanted = firstOf(await lockUnwantedLists(tx, orgId, LISTS_MAX), lengthMax)
    const counted = unwanted.filter(({ is_counted }) => is_counted)
    await addToCounts(tx, orgId, idsOf(counted), -1)
    await deleteLists(tx, orgId, idsOf(unwanted))
  })
  return true
}

/** Returns as many lists as one transaction may count. */
function firstOf(lists: readonly WordList[], lengthMax: number): WordList[] {
  let length = 0
  return lists.filter((list) => {
    const isWithin = length < lengthMax
    length += list.length
    return isWithin
  })
}

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id)

/** Stores the misspellings of some new words, and deletes words without texts. Returns false if there are none. */
export async function settleVocabulary(
  database: Database,
  write: Write,
  analyser: Analyser,
  orgId: OrgId,
): Promise<boolean> {
  const { wordsMax, changesMax } = SETTLING[database.engine]
  const words = await selectUnsettled(database.readLong, orgId, wordsMax)
  if (words.length === 0) return false
  const used = words.filter(({ texts }) => texts > 0)
  const unused = words.filter(({ texts }) => texts === 0)
  const steps: Step[] = [
    ...toSteps(await analyser.keysOf(orgId, used), insertMisspellings),
    ...toSteps(await analyser.keysOf(orgId, unused), deleteMisspellings),
    ...slices(words.length, changesMax).map(([from, to]) => ({
      changes: to - from,
      run: (tx: Tx) => settleWords(tx, orgId, idsOf(words.slice(from, to))),
    })),
  ]
  const transactions = database.engine === 'sqlite' ? group(steps, changesMax) : [steps]
  for (const transaction of transactions) {
    await write(async (tx) => {
      await lockVocabulary(tx, orgId)
      for (const { run } of transaction) await run(tx)
    })
  }
  return true

  function toSteps({ keys, wordIds }: FiledKeys, store: typeof insertMisspellings): Step[] {
    return slices(keys.length, changesMax).map(([from, to]) => ({
      changes: to - from,
      run: (tx) => {
        const ids = wordIds.subarray(from, to)
        return store(
          tx,
          orgId,
          Array.from(keys.subarray(from, to), (key, at): KeyedWord => [key, ids[at] as number]),
        )
      },
    }))
  }
}

/** Deletes a part of the vocabulary of an organisation that is being deleted. Returns false if nothing is left. */
export async function dropVocabulary(
  database: Database,
  write: Write,
  analyser: Analyser,
  orgId: OrgId,
): Promise<boolean> {
  const { changesMax } = SETTLING[database.engine]
  const isCleared = await write(async (tx) => {
    await lockVocabulary(tx, orgId)
    return (await deleteAnyLists(tx, orgId, LISTS_MAX)) || (await clearCounts(tx, orgId, changesMax))
  })
  return isCleared || settleVocabulary(database, write, analyser, orgId)
}

interface Step {
  changes: number
  run(tx: Tx): Promise<void>
}

/** Divides a number of changes into ranges. */
const slices = (length: number, max: number): [from: number, to: number][] =>
  Array.from({ length: Math.ceil(length / max) }, (_, n) => [n * max, Math.min(length, (n + 1) * max)])

/** Puts as many steps into each transaction as it may have changes. */
function group(steps: readonly Step[], changesMax: number): Step[][] {
  const groups: Step[][] = []
  let room = 0
  for (const step of steps) {
    if (step.changes > room) {
      groups.push([])
      room = changesMax
    }
    groups.at(-1)?.push(step)
    room -= step.changes
  }
  return groups
}
