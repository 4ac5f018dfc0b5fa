import type { PublicHosts } from '../../modules/domains/custom-domains/index.ts'
import type { Server } from '../../platform/http/server.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'
import { HostRouter } from './router.ts'

/** Makes the server show on each host only what belongs there. */
export function mountHosts(server: Server, hosts: PublicHosts, log: Logger): void {
  server.hostHandler = new HostRouter(hosts, server, log)
}
