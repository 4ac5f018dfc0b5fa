import { diffArrays } from 'diff'

/** Consecutive items that are in both lists, or in one of them. */
export interface Run {
  type: 'equal' | 'removed' | 'added'
  items: string[]
}

/**
 * Returns the shortest edit script from one list to the other, if it moves at most `editsMax` shared items: the cost is
 * quadratic in that number. Otherwise everything between the equal beginnings and ends is removed and added.
 */
export function compareLists(before: readonly string[], after: readonly string[], editsMax: number): Run[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++

  const runs = new Runs()
  runs.append('equal', before.slice(0, head))
  compareMiddles(before.slice(head, before.length - tail), after.slice(head, after.length - tail), editsMax, runs)
  runs.append('equal', before.slice(before.length - tail))
  return runs.all
}

function compareMiddles(before: readonly string[], after: readonly string[], editsMax: number, runs: Runs): void {
  const numbers = numberShared(before, after)
  // Items of one list alone equal nothing. Without them, texts with little in common are compared quickly.
  const sharedIndexes = (list: readonly string[]) => [...list.keys()].filter((at) => numbers.has(list[at] as string))
  const [oldIndexes, newIndexes] = [sharedIndexes(before), sharedIndexes(after)]
  const changes = diffArrays(
    oldIndexes.map((at) => numbers.get(before[at] as string)),
    newIndexes.map((at) => numbers.get(after[at] as string)),
    { maxEditLength: editsMax },
  )
  let [oldDone, newDone, oldShared, newShared] = [0, 0, 0, 0]
  for (const { added, removed, count } of changes ?? []) {
    for (let n = 0; n < count && !added && !removed; n++) {
      const [oldIndex, newIndex] = [oldIndexes[oldShared + n] as number, newIndexes[newShared + n] as number]
      runs.append('removed', before.slice(oldDone, oldIndex))
      runs.append('added', after.slice(newDone, newIndex))
      oldDone = oldIndex + 1
      newDone = newIndex + 1
      runs.append('equal', before.slice(oldIndex, oldDone))
    }
    if (!added) oldShared += count
    if (!removed) newShared += count
  }
  runs.append('removed', before.slice(oldDone))
  runs.append('added', after.slice(newDone))
}

/** Numbers each item that is in both lists. Numbers compare faster than long strings with a common beginning. */
function numberShared(before: readonly string[], after: readonly string[]): Map<string, number> {
  const inAfter = new Set(after)
  const numbers = new Map<string, number>()
  for (const item of before) if (inAfter.has(item)) numbers.set(item, numbers.get(item) ?? numbers.size)
  return numbers
}

class Runs {
  readonly all: Run[] = []

  append(type: Run['type'], items: string[]): void {
    const last = this.all.at(-1)
    if (last?.type === type) for (const item of items) last.items.push(item)
    else if (items.length > 0) this.all.push({ type, items })
  }
}
