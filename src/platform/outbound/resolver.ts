import { lookup, Resolver } from 'node:dns/promises'

export interface NameResolver {
  /** Every address of a name, of both families. */
  resolve(name: string): Promise<string[]>
  /** Gives up on what is being asked. */
  close(): void
}

/** Two tries of this length stay within the time that one exchange gets. */
const QUERY_TIMEOUT_MS = 2_000

/** Asks the given servers (`address:port`), or, without any, whatever the system asks. */
export function createResolver(servers: readonly string[]): NameResolver {
  if (servers.length === 0) return { resolve: askSystem, close: () => {} }
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 })
  resolver.setServers(servers)
  return { resolve: (name) => askServers(resolver, name), close: () => resolver.cancel() }
}

async function askSystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

async function askServers(resolver: Resolver, name: string): Promise<string[]> {
  // No server is to be asked for this name (RFC 6761); it only comes this far where development allows it.
  if (name === 'localhost') return ['127.0.0.1', '::1']
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failure = answers.find((answer) => answer.status === 'rejected')
  // Most names have no IPv6 address, so one failure of two is the rule.
  if (addresses.length === 0 && failure !== undefined) throw failure.reason
  return addresses
}
