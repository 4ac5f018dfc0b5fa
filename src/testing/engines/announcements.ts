import { announce, type Database, WRITES_TOPIC } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { eventually } from '../eventually.ts'

/** Returns what transactions announced during `work`: each topic with its key, without duplicates. */
export async function announcedBy(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const received: string[] = []
  let isListening = false
  const stop = database.listen({
    changed: (topic, key) => {
      if (topic !== WRITES_TOPIC) received.push(`${topic} ${key}`)
    },
    interrupted: () => {},
    resumed: () => {
      isListening = true
    },
  })
  await eventually(() => isListening)
  // On PostgreSQL every announcement arrives twice, in order. When the marker has arrived, so have all before it.
  const marker = newId()
  const times = database.engine === 'postgres' ? 2 : 1
  await database.write((tx) => announce(tx, 'marker', [marker]))
  await eventually(() => received.filter((announcement) => announcement === `marker ${marker}`).length === times)
  const before = received.length
  await work()
  stop()
  return [...new Set(received.slice(before))].sort()
}
