import { systemClock } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { INSTALLATION_HEADER } from '../../platform/http/server/health.ts'
import { Keyring } from '../../platform/keyring/index.ts'
import { type Probed, probe, probeJson } from '../../platform/outbound/index.ts'
import { isLoopbackUrl } from '../../platform/text/loopback.ts'
import type { Config } from '../config.ts'
import { ANSWER_MS_MAX, type DoctorCheck, fail, pass, warn } from './check.ts'

/** Asks the public addresses who answers there. Does nothing for those that only this machine can reach. */
export async function checkAddresses(database: Database, config: Config): Promise<DoctorCheck[]> {
  const urls = [...new Set([config.appUrl, config.publicUrl])].filter((url) => !isLoopbackUrl(url))
  if (urls.length === 0) return []
  const installation = await installationOf(database, config)
  return Promise.all(urls.map((url) => checkAddress(url, installation)))
}

/** `installation` is undefined if nobody knows who should answer. */
export async function checkAddress(url: string, installation: string | undefined): Promise<DoctorCheck> {
  const name = `Address ${new URL(url).host}`
  let probed: Probed
  try {
    probed = await probe(`${url}/healthz`, ANSWER_MS_MAX)
  } catch (error) {
    const reason = reasonOf(error)
    const detail = `${url} cannot be reached from here: ${reason}`
    if (CERTIFICATE.test(reason)) {
      return fail(name, detail, 'Visitors see a warning instead of a page: correct the certificate of the proxy.')
    }
    // Only a warning: the service may be stopped, and some networks cannot reach their own public address.
    return warn(
      name,
      detail,
      `If the service runs, check DNS, the firewall and the proxy, and open ${url}/healthz elsewhere.`,
    )
  }
  const found = probed.headers.get(INSTALLATION_HEADER)
  if (found === null) {
    const to = probed.headers.get('location')
    const detail = `${url}/healthz responds with ${probed.status}${to === null ? '' : ` to ${to}`}, and not from Waymark`
    return fail(name, detail, 'Point the name, and the proxy behind it, to this installation, or correct the setting.')
  }
  if (installation !== undefined && found !== installation) {
    const remedy = 'Point the name to this installation, or correct the setting, DATA_DIR or DATABASE_URL.'
    return fail(name, `${url} is answered by another installation of Waymark`, remedy)
  }
  if (probed.status !== 200) {
    return warn(name, `${url}/healthz responds with ${probed.status}`, 'The service is stopping. Start it again.')
  }
  const problems = await problemsOf(url)
  return problems.length === 0
    ? pass(name, `${url} is answered by this installation`)
    : warn(name, `${url}/readyz says: ${problems.join(' ')}`, 'See "When something fails" in docs/operations.md.')
}

/** What the service says of itself: why it is not ready, and what it has lost since it was started. */
async function problemsOf(url: string): Promise<string[]> {
  try {
    const said = (await probeJson(`${url}/readyz`, ANSWER_MS_MAX)) as { reason?: string; alarms?: string[] }
    const { reason, alarms = [] } = said
    return [...(reason === undefined ? [] : [reason]), ...alarms]
  } catch (error) {
    return [`no answer (${reasonOf(error)}).`]
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/

function reasonOf(error: unknown): string {
  const { cause = error } = error as Error
  const { code, name, message } = cause as NodeJS.ErrnoException
  if (name === 'TimeoutError') return 'no response in time'
  return typeof code === 'string' ? code : message
}

/** Undefined if there is no keyring yet, or if SECRET_KEY does not open it, which another check reports. */
async function installationOf(database: Database, config: Config): Promise<string | undefined> {
  const readOnly: Database = { ...database, write: async <T>() => undefined as T }
  try {
    return (await Keyring.load(readOnly, config, systemClock())).installationId
  } catch {
    return undefined
  }
}
