import { isIP } from 'node:net'
import { createDnsClient } from '../../platform/dns/index.ts'
import { isLoopbackUrl } from '../../platform/text/loopback.ts'
import type { Config } from '../config.ts'
import { type DoctorCheck, fail, pass, warn } from './check.ts'

/** Reserved for examples, so every name server knows it, or knows who does. */
const ANY_NAME = 'example.com'

const AFFECTED = 'Without an answer, webhooks and custom domains fail.'

/** Asks each of DNS_SERVERS for a name, or those of the system. Whether the name exists does not matter. */
export async function checkNameServers(config: Config): Promise<DoctorCheck> {
  const { dnsServers: servers } = config.outbound
  const name = findOwnName(config)
  if (servers.length === 0) return checkSystem(name)
  const failed = await Promise.all(
    servers.map(async (server) => {
      const reason = await reasonOfSilence([server], name ?? ANY_NAME)
      return reason === undefined ? [] : [`${server} (${reason})`]
    }),
  )
  const silent = failed.flat()
  return silent.length === 0
    ? pass('Name servers', `${servers.join(', ')} answer`)
    : fail(
        'Name servers',
        `no answer from ${silent.join(', ')}`,
        `Correct DNS_SERVERS, or remove it to use those of the system. ${AFFECTED}`,
      )
}

/** Only a warning: a machine without a network may have all its names in a file. */
async function checkSystem(name: string | undefined): Promise<DoctorCheck> {
  if (name === undefined)
    return pass('Name servers', 'those of the system; not asked, because no setting has a host name to ask for')
  const reason = await reasonOfSilence([], name)
  return reason === undefined
    ? pass('Name servers', `those of the system answer for ${name}`)
    : warn(
        'Name servers',
        `no answer from those of the system for ${name} (${reason})`,
        `Correct them, for example in /etc/resolv.conf, or set DNS_SERVERS. ${AFFECTED}`,
      )
}

/** The first name that this installation needs anyway. Others should not learn that it is examined. */
function findOwnName({ publicUrl, appUrl, mail, llm, s3 }: Config): string | undefined {
  const urls = [publicUrl, appUrl, mail?.smtpUrl, llm?.baseUrl, s3?.endpoint].filter((url) => url !== undefined)
  return urls
    .filter((url) => !isLoopbackUrl(url))
    .map((url) => new URL(url).hostname)
    .find((host) => isIP(host.replace(/^\[|\]$/g, '')) === 0)
}

/** Undefined if one of the servers answers. */
async function reasonOfSilence(servers: readonly string[], name: string): Promise<string | undefined> {
  const client = createDnsClient(servers)
  const answer = await client.lookUp(name, 'A')
  client.close()
  return answer.kind === 'failed' ? answer.reason : undefined
}
