import { announce, type Database } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { eventually } from '../eventually.ts'

/** What is announced while `work` runs: each topic with its key, once. */
export async function announcedBy(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const heard: string[] = []
  let isHearing = false
  const stop = database.listen({
    changed: (topic, key) => heard.push(`${topic} ${key}`),
    interrupted: () => {},
    resumed: () => {
      isHearing = true
    },
  })
  await eventually(() => isHearing)
  // PostgreSQL tells everything a second time, in order: when this has come back, so has all that was before it.
  const mark = newId()
  const times = database.engine === 'postgres' ? 2 : 1
  await database.write((tx) => announce(tx, 'mark', [mark]))
  await eventually(() => heard.filter((told) => told === `mark ${mark}`).length === times)
  const before = heard.length
  await work()
  stop()
  return [...new Set(heard.slice(before))].sort()
}
