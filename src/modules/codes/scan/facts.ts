import type { IncomingMessage } from 'node:http'
import { type Facts, PRINT } from '../decisions/index.ts'
import type { ScanAddress } from './address.ts'
import { domainOf } from './domain-of.ts'
import type { Resolved } from './resolve.ts'
import type { ScanNumbers } from './scan-numbers.ts'
import type { ScanQuery } from './scan-query.ts'
import type { Visit } from './scan-row.ts'

/** What rules can ask about a scan. */
export function toFacts(
  { request, address }: { request: IncomingMessage; address: ScanAddress },
  resolved: Resolved,
  { userAgent, location, visitor }: Visit,
  { query, salt, nowMs, numbers }: { query: ScanQuery; salt: string; nowMs: number; numbers: ScanNumbers },
): Facts {
  const { domainUrl, properties } = resolved
  return {
    atMs: nowMs,
    device: userAgent.device.type,
    os: userAgent.device.os,
    acceptLanguage: request.headers['accept-language'],
    country: location.country,
    region: location.region,
    query: query.stored,
    via: query.via ?? PRINT,
    domain: domainOf(domainUrl),
    lot: address.kind === 'product' ? address.gs1.lot : null,
    serial: address.kind === 'product' ? address.gs1.serial : null,
    visitor,
    salt,
    scanNumber: (of) => numbers.next(resolved, of),
    property: (key) => properties?.get(key) ?? null,
  }
}
