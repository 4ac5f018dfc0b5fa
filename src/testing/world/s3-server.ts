import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Settings } from '../../platform/files/s3-store.ts'

const BUCKET = 'waymark'
/** The only key that the server knows. */
const KEY = 'S3RVER'
/** The server keeps each file as several, one of which has this ending. */
const CONTENT = '._S3rver_object'

/** A real S3-compatible server, with one bucket. */
export class TestS3Server {
  readonly settings: S3Settings
  readonly #server: S3rver
  readonly #folder: string
  #stopped: Promise<void> | undefined

  private constructor(server: S3rver, folder: string, port: number) {
    this.#server = server
    this.#folder = folder
    this.settings = {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: BUCKET,
      region: 'us-east-1',
      accessKeyId: KEY,
      secretAccessKey: KEY,
    }
  }

  static async start(): Promise<TestS3Server> {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-s3-'))
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: BUCKET }],
    })
    const { port } = await server.run()
    return new TestS3Server(server, folder, port)
  }

  /** The names of the files in the bucket. */
  async files(): Promise<string[]> {
    const names = await readdir(join(this.#folder, BUCKET))
    return names.filter((name) => name.endsWith(CONTENT)).map((name) => name.slice(0, -CONTENT.length))
  }

  /** Closes the server, like an interrupted network. */
  stop(): Promise<void> {
    this.#stopped ??= this.#server.close()
    return this.#stopped
  }

  async close(): Promise<void> {
    await this.stop()
    await rm(this.#folder, { recursive: true })
  }
}
