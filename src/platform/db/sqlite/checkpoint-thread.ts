/** Copies the WAL into the database file. Asked after commits; does nothing while there is little to copy. */
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from './connect.ts'

export interface CheckpointOptions {
  file: string
}

/**
 * How many pages to copy at once. A page that changes often is copied once per checkpoint, so a larger interval costs
 * less in total, but commits wait longer for the disk.
 */
export const CHECKPOINT_PAGES = 2000

if (parentPort !== null) serve(parentPort, workerData as CheckpointOptions)

function serve(port: NonNullable<typeof parentPort>, { file }: CheckpointOptions): void {
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
