import { lookup, Resolver } from 'node:dns/promises'

export interface NameResolver {
  /** Returns all IPv4 and IPv6 addresses of a name. */
  resolve(name: string): Promise<string[]>
  close(): void
}

/** Two attempts of this length fit into the timeout of one exchange. */
const QUERY_TIMEOUT_MS = 2_000

/** Uses the given name servers (`address:port`), or the resolver of the system if there are none. */
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
  // Must not be sent to a name server (RFC 6761). Only reached if `devAllow` lists localhost.
  if (name === 'localhost') return ['127.0.0.1', '::1']
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failure = answers.find((answer) => answer.status === 'rejected')
  // Most names have no IPv6 address, so one of the two queries usually fails.
  if (addresses.length === 0 && failure !== undefined) throw failure.reason
  return addresses
}
