import { isIP } from 'node:net'
import { createDnsClient } from '../../platform/dns/index.ts'
import { isLoopbackUrl } from '../../platform/text/loopback.ts'
import { type DoctorCheck, fail, pass } from './check.ts'

/** Reserved for examples, so every name server knows it, or knows who does. */
const ANY_NAME = 'example.com'

/** Asks each of them for a name. Whether it exists does not matter. */
export async function checkNameServers(servers: readonly string[], publicUrl: string): Promise<DoctorCheck> {
  const { hostname } = new URL(publicUrl)
  const name = isLoopbackUrl(publicUrl) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 ? ANY_NAME : hostname
  const failed = await Promise.all(
    servers.map(async (server) => {
      const client = createDnsClient([server])
      const answer = await client.lookUp(name, 'A')
      client.close()
      return answer.kind === 'failed' ? [`${server} (${answer.reason})`] : []
    }),
  )
  const silent = failed.flat()
  return silent.length === 0
    ? pass('Name servers', `${servers.join(', ')} answer`)
    : fail(
        'Name servers',
        `no answer from ${silent.join(', ')}`,
        'Correct DNS_SERVERS, or remove it to use those of the system. Without an answer, webhooks and custom domains fail.',
      )
}
