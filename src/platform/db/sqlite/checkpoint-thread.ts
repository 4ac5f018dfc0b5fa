/** Copies the WAL into the database file. Asked after commits; does nothing while there is little to copy. */
import { parentPort, workerData } from 'node:worker_threads'
import { CHECKPOINT_PAGES, connect } from './connect.ts'

if (parentPort !== null) serve(parentPort, workerData as string)

function serve(port: NonNullable<typeof parentPort>, file: string): void {
  const connection = connect(file, 'write')
  const look = connection.prepare('pragma wal_checkpoint(noop)')
  // Passive: waits for nobody, and nobody waits for it. What it cannot copy yet is left for the next time.
  const copy = connection.prepare('pragma wal_checkpoint(passive)')

  port.on('message', (message: 'committed' | 'close') => {
    if (message === 'close') {
      connection.close()
      port.close()
      return
    }
    const { log, checkpointed } = look.get() as { log: number; checkpointed: number }
    if (log - checkpointed >= CHECKPOINT_PAGES) copy.run()
  })
}
