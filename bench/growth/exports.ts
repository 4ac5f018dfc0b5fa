import { setTimeout as sleep } from 'node:timers/promises'
import { credentials, type RunningService } from '../support/service.ts'
import { printTable, whole } from '../support/table.ts'

const ROWS_PER_SECOND_AIM = 30_000
const MIB = 1024 * 1024
const SAMPLE_MS = 50
const FORMATS = ['csv', 'xlsx']

/** Exports all submissions, and prints how many were sent in a second and how much more memory the service took meanwhile. */
export async function measureExports(engine: string, service: RunningService, rows: number): Promise<void> {
  // The first one also compiles the code.
  await download(service, 'csv')
  const table: string[][] = []
  for (const format of FORMATS) {
    const before = await service.usage()
    const startedMs = performance.now()
    const { bytes, rssBytes } = await download(service, format)
    const seconds = (performance.now() - startedMs) / 1000
    const after = await service.usage()
    table.push([
      `/v1/submissions/export.${format}`,
      `${whole(rows / seconds)}/s`,
      `${((after.mainThreadMicros - before.mainThreadMicros) / rows).toFixed(1)} µs`,
      `${whole(bytes / MIB)} MiB`,
      `${whole(Math.max(0, rssBytes - before.rssBytes) / MIB)} MiB`,
      rows / seconds < ROWS_PER_SECOND_AIM ? '←' : '',
    ])
  }
  printTable([`${engine}, ${whole(rows)} submissions`, 'rows', 'main thread per row', 'file', 'memory', ''], table)
}

/** Reads a file, and what the service takes at most meanwhile. */
async function download({ port, first, usage }: RunningService, format: string) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/submissions/export.${format}`, {
    headers: credentials(first),
  })
  if (!response.ok || response.body === null) throw new Error(`an export returned ${response.status}`)
  let bytes = 0
  let rssBytes = 0
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      rssBytes = Math.max(rssBytes, (await usage()).rssBytes)
      await sleep(SAMPLE_MS)
    }
  }
  const watching = watch()
  for await (const chunk of response.body) bytes += chunk.length
  isOver = true
  await watching
  return { bytes, rssBytes }
}
