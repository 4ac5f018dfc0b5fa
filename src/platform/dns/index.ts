import { Resolver } from 'node:dns/promises'
import { SECOND_MS } from '../clock/index.ts'

/** `none`: the name does not exist or has no such record. `failed`: nobody knows, because DNS did not answer properly. */
export type DnsAnswer = { kind: 'found'; values: string[] } | { kind: 'none' } | { kind: 'failed'; reason: string }

export type RecordType = 'TXT' | 'A' | 'AAAA' | 'CNAME'

export interface DnsClient {
  /** Never throws. Names are in lower case, without a dot at the end. */
  lookUp(name: string, type: RecordType): Promise<DnsAnswer>
  /** Ends the look-ups in progress, which then fail. */
  close(): void
}

const QUERY_TIMEOUT_MS = 2 * SECOND_MS
const TRIES = 2
/** Limits all tries at all name servers of the system together. */
const LOOKUP_MS_MAX = 8 * SECOND_MS

/** The name does not exist, has no such record, or cannot exist because it is too long. */
const NONE = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

/** Asks the given name servers (`address:port`), or those of the system if there are none. */
export function createDnsClient(servers: readonly string[]): DnsClient {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  const queries: Record<RecordType, (name: string) => Promise<string[]>> = {
    // A long text is stored in several parts.
    TXT: async (name) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
    A: (name) => resolver.resolve4(name),
    AAAA: (name) => resolver.resolve6(name),
    CNAME: async (name) => (await resolver.resolveCname(name)).map((target) => target.toLowerCase().replace(/\.$/, '')),
  }
  return {
    async lookUp(name, type) {
      try {
        const values = await within(LOOKUP_MS_MAX, queries[type](name))
        return values.length === 0 ? { kind: 'none' } : { kind: 'found', values }
      } catch (error) {
        const { code = 'ETIMEOUT' } = error as NodeJS.ErrnoException
        return NONE.includes(code) ? { kind: 'none' } : { kind: 'failed', reason: code }
      }
    },
    close: () => resolver.cancel(),
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('DNS did not answer in time')), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
