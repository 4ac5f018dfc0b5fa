import type { FastifyRequest } from 'fastify'
import type { RequestEntry } from '../../telemetry/logging.ts'

declare module 'node:http' {
  interface IncomingMessage {
    /** What the request log says about whose content was asked for, by whom, and why in vain. Set once it is known. */
    loggedAs?: Pick<RequestEntry, 'orgId' | 'credentialId' | 'error'>
  }
}

/** Logs and measures a response that the framework sends. Our own pipeline does this itself. */
export function recordReply(
  request: FastifyRequest,
  status: number,
  operation = request.routeOptions.config.operation ?? 'none',
): void {
  const ms = performance.now() - request.raw.arrivedMs
  request.server.record({ operation, requestId: request.id, status, ms, ...request.raw.loggedAs })
}
