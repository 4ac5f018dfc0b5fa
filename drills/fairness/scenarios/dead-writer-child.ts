/** Starts the service and, on request, ends the thread that writes to the database. */
import { syncBuiltinESMExports } from 'node:module'
import { devNull } from 'node:os'
import threads, { type Worker, type WorkerOptions } from 'node:worker_threads'
import { endWithParent } from '../../../bench/support/children.ts'
import type { DeadWriterReady } from './dead-writer.ts'

let writer: Worker | undefined

// Remembers the thread of the writer, which nothing in the service gives access to.
const RealWorker = threads.Worker
threads.Worker = class extends RealWorker {
  constructor(script: string | URL, options: WorkerOptions = {}) {
    super(script, options)
    if (options.workerData?.mode === 'write') writer = this
  }
}
syncBuiltinESMExports()

const { readConfig } = await import('../../../src/main/config.ts')
const { startService } = await import('../../../src/main/service.ts')
const { createKey } = await import('../../../src/modules/account/api-keys/index.ts')
const { createOrganisation } = await import('../../../src/modules/account/organisations/index.ts')
const { timestamp } = await import('../../../src/platform/clock/index.ts')
const { createLogger } = await import('../../../src/platform/telemetry/logging.ts')

const config = readConfig(process.env, devNull)
const service = await startService(config, 'all', createLogger(config.logLevel))
endWithParent(() => service.close())

const now = timestamp(Date.now())
const { id } = await service.database.write((tx) => createOrganisation(tx, { name: 'Acme', slug: 'acme' }, now))
const { api_key } = await service.database.write((tx) => createKey(tx, id, { name: 'Drill' }, now))

process.on('message', async (message: { kill?: true }) => {
  if (message.kill !== true) return
  await writer?.terminate()
  process.send?.({})
})
process.send?.({ port: service.port, apiKey: api_key } satisfies DeadWriterReady)
