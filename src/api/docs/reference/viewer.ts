import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The script that displays the OpenAPI document. All responses share its buffer: it has four megabytes. */
export interface Viewer {
  script: Uint8Array
  /** Changes with the script, so that browsers may cache its URL permanently. */
  hash: string
}

let loading: Promise<Viewer> | undefined

/** Loads the viewer on the first request for it and keeps it, so that it does not delay the start. */
export function loadViewer(): Promise<Viewer> {
  loading ??= readViewer().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Runs in a thread that then ends: loading the package takes half a second, in which no request would be served. */
async function readViewer(): Promise<Viewer> {
  const worker = new Worker(new URL('./viewer-thread.ts', import.meta.url))
  const [viewer] = (await once(worker, 'message')) as [Viewer]
  await worker.terminate()
  return viewer
}
