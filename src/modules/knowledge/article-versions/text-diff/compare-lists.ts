import { diffArrays } from 'diff'

/** Neighbours that stand in one list, or in both. */
export interface Run {
  type: 'equal' | 'removed' | 'added'
  items: string[]
}

/**
 * The shortest way from one list to another, as long as no more than `editsMax` items that both have must be moved:
 * finding it takes steps in the square of that. Beyond it, all between the equal ends is removed and added.
 */
export function compareLists(before: readonly string[], after: readonly string[], editsMax: number): Run[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++

  const runs = new Runs()
  runs.write('equal', before.slice(0, head))
  compareMiddles(before.slice(head, before.length - tail), after.slice(head, after.length - tail), editsMax, runs)
  runs.write('equal', before.slice(before.length - tail))
  return runs.all
}

function compareMiddles(before: readonly string[], after: readonly string[], editsMax: number, runs: Runs): void {
  const numbers = numberShared(before, after)
  // What stands in one list alone is equal to nothing. Without it texts that have little in common are soon compared.
  const placesOf = (list: readonly string[]) => [...list.keys()].filter((place) => numbers.has(list[place] as string))
  const [oldPlaces, newPlaces] = [placesOf(before), placesOf(after)]
  const changes = diffArrays(
    oldPlaces.map((place) => numbers.get(before[place] as string)),
    newPlaces.map((place) => numbers.get(after[place] as string)),
    { maxEditLength: editsMax },
  )
  let [oldDone, newDone, oldShared, newShared] = [0, 0, 0, 0]
  for (const { added, removed, count } of changes ?? []) {
    for (let n = 0; n < count && !added && !removed; n++) {
      const [oldPlace, newPlace] = [oldPlaces[oldShared + n] as number, newPlaces[newShared + n] as number]
      runs.write('removed', before.slice(oldDone, oldPlace))
      runs.write('added', after.slice(newDone, newPlace))
      oldDone = oldPlace + 1
      newDone = newPlace + 1
      runs.write('equal', before.slice(oldPlace, oldDone))
    }
    if (!added) oldShared += count
    if (!removed) newShared += count
  }
  runs.write('removed', before.slice(oldDone))
  runs.write('added', after.slice(newDone))
}

/** Numbers stand for the items while they are compared, because long ones that begin alike take long to compare. */
function numberShared(before: readonly string[], after: readonly string[]): Map<string, number> {
  const inAfter = new Set(after)
  const numbers = new Map<string, number>()
  for (const item of before) if (inAfter.has(item)) numbers.set(item, numbers.get(item) ?? numbers.size)
  return numbers
}

class Runs {
  readonly all: Run[] = []

  write(type: Run['type'], items: string[]): void {
    const last = this.all.at(-1)
    if (last?.type === type) for (const item of items) last.items.push(item)
    else if (items.length > 0) this.all.push({ type, items })
  }
}
