import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { freePort } from '../engines/postgres.ts'
import { eventually } from '../eventually.ts'
import { launch, type Settings } from '../process.ts'
import { findDebianProgram } from './debian-program.ts'

const CADDYFILE = fileURLToPath(new URL('../../../deploy/Caddyfile', import.meta.url))

/** Why a test or a drill is skipped. */
export const NO_CADDY = 'Caddy is neither installed nor in a package that can be downloaded'

const ADAPTED = ['--config', CADDYFILE, '--adapter', 'caddyfile']

export const findCaddy = () => findDebianProgram({ name: 'caddy', packageName: 'caddy', versionArgs: ['version'] })

interface CaddyOptions {
  /** The path that `findCaddy` returned. */
  program: string
  /** The hosts of the service itself. */
  hosts: string
  /** Addresses of instances. */
  upstreams: readonly string[]
}

interface SentRequest extends Pick<RequestOptions, 'method' | 'headers'> {
  body?: string
}

interface Received {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const CERTIFICATE = /^-----BEGIN CERTIFICATE-----[\s\S]*-----END CERTIFICATE-----$/m

/** Lets Caddy check our Caddyfile. Returns what it prints. */
export async function validateCaddyfile(program: string): Promise<{ code: number | null; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-caddy-'))
  const { code, stdout, stderr } = await launch(['validate', ...ADAPTED], inFolder(folder), program).ended
  await rm(folder, { recursive: true, force: true })
  return { code, output: stdout + stderr }
}

/** Certificates and keys are stored in the folder. */
const inFolder = (folder: string): Settings => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  XDG_DATA_HOME: folder,
  XDG_CONFIG_HOME: folder,
})

/** A real Caddy with the Caddyfile that we ship. Its certificates come from its own authority, which this client trusts. */
export class Caddy implements AsyncDisposable {
  readonly httpPort: number
  readonly httpsPort: number
  readonly #folder: string
  readonly #process: ReturnType<typeof launch>
  #agent = new Agent()

  private constructor(program: string, ports: { http: number; https: number }, folder: string, settings: Settings) {
    this.httpPort = ports.http
    this.httpsPort = ports.https
    this.#folder = folder
    this.#process = launch(['run', ...ADAPTED], settings, program)
  }

  static async start({ program, hosts, upstreams }: CaddyOptions): Promise<Caddy> {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-caddy-'))
    // The same port can be free several times.
    const [http, https, ask] = await eventually(async () => {
      const free = [await freePort(), await freePort(), await freePort()] as const
      return new Set(free).size === free.length && free
    })
    const caddy = new Caddy(program, { http, https }, folder, {
      ...inFolder(folder),
      HOSTS: hosts,
      UPSTREAMS: upstreams.join(' '),
      CERT_ISSUER: 'internal',
      CADDY_ADMIN: 'off',
      HTTP_PORT: String(http),
      HTTPS_PORT: String(https),
      ASK_PORT: String(ask),
    })
    try {
      await caddy.#ready(hosts)
    } catch (error) {
      await caddy[Symbol.asyncDispose]()
      throw new Error(`Caddy is not ready: ${caddy.#process.output.stderr}`, { cause: error })
    }
    return caddy
  }

  /**
   * Sends a request to a host, over TLS. Rejects if there is no certificate for it. A certificate that Caddy has just made can
   * begin a moment later, because the clock of a virtual machine is corrected from time to time.
   */
  send(host: string, path: string, request: SentRequest = {}): Promise<Received> {
    return eventually(async () => {
      try {
        return await this.#sendOnce(host, path, request)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'CERT_NOT_YET_VALID') throw error
        return undefined
      }
    })
  }

  async #sendOnce(host: string, path: string, { body, ...options }: SentRequest): Promise<Received> {
    const sent = request({
      ...options,
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.httpsPort,
      servername: host,
      headers: { host, ...options.headers },
      path,
    })
    const responded = new Promise<Received>((resolve, reject) => {
      sent.once('error', reject).once('response', (response) => {
        const { statusCode: status = 0, headers } = response
        text(response).then((received) => resolve({ status, headers, text: received }), reject)
      })
    })
    sent.end(body)
    return responded
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy()
    this.#process.child.kill('SIGTERM')
    await this.#process.ended
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #ready(host: string): Promise<void> {
    const root = join(this.#folder, 'caddy/pki/authorities/local/root.crt')
    // Caddy may be writing it just now.
    const read = () => readFile(root, 'utf8').catch(() => '')
    const ca = await eventually(async () => CERTIFICATE.exec(await read())?.[0])
    this.#agent = new Agent({ ca, keepAlive: true })
    await eventually(() =>
      this.send(host, '/healthz').then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
  }
}
