import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { gzip } from 'node:zlib'

/** The script that shows the document, compressed: four megabytes of it would be felt on a phone. */
export interface Viewer {
  gzipped: Buffer
  /** Changes with the script, so that its address can be kept for ever. */
  hash: string
}

let loading: Promise<Viewer> | undefined

/** Loaded when somebody first asks for it, and kept: the service itself starts without it. */
export function loadViewer(): Promise<Viewer> {
  loading ??= readViewer().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/**
 * The package holds the script as one string within its own module. That string is read, and the module left
 * alone: to import it would also bring in a parser and a validator, which take longer than our whole start.
 */
async function readViewer(): Promise<Viewer> {
  const module = await readFile(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference')), 'utf8')
  const [, literal] = /^var standalone_default = (".*");$/m.exec(module) ?? []
  if (literal === undefined) throw new Error('the viewer is no longer where its package had it')
  const script: string = runInNewContext(literal)
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 16)
  return { gzipped: await promisify(gzip)(script), hash }
}
