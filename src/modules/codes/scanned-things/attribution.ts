import { MINUTE_MS, SECOND_MS } from '../../../platform/clock/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { ScannedThing } from './service.ts'

/** Long enough for a slow phone to follow the redirect. Somebody who shares the address later shares no scan. */
const LIFETIME_MS = 10 * MINUTE_MS
/** The parameter of an address that has it. */
export const SCAN_PARAMETER = 's'

const SIGNED = /^(qr_code|object|product)\.([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{1,12})\.(\d{1,9})\.([\w-]{22})$/

/** What a visitor scanned, and the scan. */
export interface AttributedScan {
  scanned: ScannedThing
  scanId: string
}

const textOf = (path: string, { scanned, scanId }: AttributedScan, expiresAtSeconds: string): string =>
  `scan ${path} ${scanned.kind} ${scanned.id} ${scanId} ${expiresAtSeconds}`

/**
 * Tells one of our own pages which scan led to it, so that what the visitor does there can be attributed. It is a
 * parameter of the redirect, signed for this path: a visitor cannot make one up.
 */
export function signScan(keyring: Keyring, path: string, scan: AttributedScan, nowMs: number): string {
  const { kind, id } = scan.scanned
  const expires = String(Math.floor((nowMs + LIFETIME_MS) / SECOND_MS))
  const { generation, signature } = keyring.sign('visit', textOf(path, scan, expires))
  return `${kind}.${id}.${scan.scanId}.${expires}.${generation}.${signature.toString('base64url')}`
}

/** Returns undefined if it is malformed, forged, too old or of another path. */
export function openScan(keyring: Keyring, path: string, signed: string, nowMs: number): AttributedScan | undefined {
  const [, kind, id = '', scanId = '', expires = '', generation, signature = ''] = SIGNED.exec(signed) ?? []
  if (kind === undefined || Number(expires) * SECOND_MS <= nowMs) return undefined
  const scan: AttributedScan = { scanned: { kind: kind as ScannedThing['kind'], id }, scanId }
  const bytes = Buffer.from(signature, 'base64url')
  return keyring.verify('visit', Number(generation), textOf(path, scan, expires), bytes) ? scan : undefined
}
