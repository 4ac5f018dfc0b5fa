import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestEntry } from '../../telemetry/logging.ts'

/** A request that is answered outside the framework, and still needs its response. */
export interface RawRequest {
  request: IncomingMessage
  response: ServerResponse
}

declare module 'node:http' {
  interface IncomingMessage {
    /** What the request log says about whose content was asked for, by whom, and why in vain. Set once it is known. */
    loggedAs?: Pick<RequestEntry, 'orgId' | 'credentialId' | 'error'>
  }
}
