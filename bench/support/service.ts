import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OrgId } from '../../src/platform/ids/index.ts'
import { Child, type Usage } from './children.ts'

export interface Tenant {
  orgId: OrgId
  apiKey: string
}

/** Has an owner who is signed in, and who has connected an application. */
export interface OwnedTenant extends Tenant {
  session: string
  accessToken: string
}

export interface ServiceReady {
  port: number
  /** Two organisations, so that the writes of one scenario do not lengthen the lists that another reads. */
  first: OwnedTenant
  second: OwnedTenant
}

export interface RunningService extends ServiceReady, AsyncDisposable {
  dataDir: string
  usage(): Promise<Usage>
}

/** The rate limiter counts as usual, but no load here reaches the limit. */
const RATE_LIMIT = '1000000000'

/** Starts the service with its default settings, unless others are given, and a temporary data folder. */
export async function startService(
  databaseUrl?: string,
  settings: Record<string, string> = {},
): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
  const removeData = () => rm(dataDir, { recursive: true, force: true })
  try {
    const child = await Child.start<ServiceReady>(new URL('./service-child.ts', import.meta.url), {
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      // All load comes from one address.
      CONNECTIONS_PER_ADDRESS: '2000',
      RATE_LIMIT_PER_MINUTE: RATE_LIMIT,
      RATE_LIMIT_PER_HOUR: RATE_LIMIT,
      ...settings,
    })
    return {
      ...child.ready,
      dataDir,
      usage: () => child.usage(),
      [Symbol.asyncDispose]: async () => {
        await child[Symbol.asyncDispose]()
        await removeData()
      },
    }
  } catch (error) {
    await removeData()
    throw error
  }
}

export const credentials = ({ apiKey }: Tenant): Record<string, string> => ({ authorization: `Bearer ${apiKey}` })

/** A browser of an owner who is signed in, on one of our own pages. */
export const sessionOf = ({ session }: OwnedTenant): Record<string, string> => ({
  cookie: `waymark_session=${session}`,
  'sec-fetch-site': 'same-origin',
})
