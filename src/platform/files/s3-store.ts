import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { SECOND_MS } from '../clock/index.ts'
import { type AssetStore, type ByteRange, StoreUnavailable } from './asset-store.ts'
import { checkStore, holdFile, removeStaged, stageFile } from './staging.ts'

/** A bucket of the operator, at Amazon or at any server with the same interface. */
export interface S3Settings {
  /** Its address without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Limits the wait for a response to begin, and for a file to be sent. */
const TIMEOUT_MS = 30 * SECOND_MS
/** A response of 429 or 5xx is retried. The pauses are 50 ms, 100 ms and 200 ms at most. */
const RETRIES = 3
const ERROR_LENGTH_MAX = 300

/**
 * Keeps the files in a bucket. A file is staged on the local disk first: its hash, which becomes part of its name, is only
 * known at its end, and a bucket cannot rename. From there it is sent without being in memory as a whole.
 *
 * The endpoint is the operator's own, so it may be in a private network. That is why this does not use the guarded client of
 * `platform/outbound`, which is for addresses that customers enter.
 */
export function openS3Store(settings: S3Settings, stagingFolder: string): AssetStore {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES })
  // The bucket in the path, not in the host name: servers other than Amazon's have no host name for each bucket.
  const urlOf = (name: string): string => `${endpoint}/${bucket}/${name}`

  /** Throws unless the status is one of these. The body must then be read or cancelled. */
  const request = async (name: string, init: RequestInit, ...accepted: number[]): Promise<Response> => {
    const response = await client.fetch(urlOf(name), init).catch((error) => {
      throw new StoreUnavailable(`the S3 server cannot be reached: ${error.cause?.message ?? error.message}`, error)
    })
    if (accepted.includes(response.status)) return response
    const text = (await response.text().catch(() => '')).slice(0, ERROR_LENGTH_MAX)
    throw new StoreUnavailable(`the S3 server responded to ${init.method} with ${response.status}: ${text}`)
  }
  const send = (name: string, init: RequestInit, ...accepted: number[]): Promise<Response> =>
    request(name, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }, ...accepted)
  const read = async (name: string, range?: ByteRange): Promise<Readable> => {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
    const stopped = new AbortController()
    const timer = setTimeout(() => stopped.abort(new Error('no response in time')), TIMEOUT_MS)
    try {
      const init = { method: 'GET', headers, signal: stopped.signal }
      const { body } = await request(name, init, range === undefined ? 200 : 206)
      return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream)
    } finally {
      // Only for the headers: a client may take long to read a large file.
      clearTimeout(timer)
    }
  }

  const store: AssetStore = {
    stage: (chunks) =>
      stageFile(stagingFolder, chunks, async ({ path, sha256 }, name, mediaType) => {
        // The server compares the hash with what it received.
        const headers = { 'content-type': mediaType, 'x-amz-content-sha256': sha256 }
        const response = await send(name, { method: 'PUT', headers, body: await openAsBlob(path) }, 200)
        await response.body?.cancel()
      }),
    hold: (chunks) => holdFile(stagingFolder, chunks),
    async remove(name) {
      const response = await send(name, { method: 'DELETE' }, 200, 204, 404)
      await response.body?.cancel()
    },
    async open(name) {
      const { status, headers } = await send(name, { method: 'HEAD' }, 200, 404)
      if (status === 404) return undefined
      return {
        sizeBytes: Number(headers.get('content-length')),
        read: (range) => read(name, range),
        close: async () => {},
      }
    },
    removeLeftovers: () => removeStaged(stagingFolder),
    check: () => checkStore(store),
  }
  return store
}
