import type { Server } from '../../../platform/http/server/server.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { PublicHosts } from '../custom-domains/index.ts'
import { HostRouter } from './router.ts'

/** Makes the server show on each host only what belongs there. */
export function mountHosts(server: Server, hosts: PublicHosts, log: Logger): void {
  server.hostHandler = new HostRouter(hosts, server, log)
}

export { mountTlsAsk } from './tls-ask.ts'
