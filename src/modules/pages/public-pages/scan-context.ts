import type { Keyring } from '../../../platform/keyring/index.ts'
import type { ScannedThing } from '../../codes/scanned-things/index.ts'

const ABOUT = /^(qr_code|object|product)\.([0-9a-f-]{36})\.(\d{1,9})\.([\w-]{22})$/

const signed = (pageId: string, { kind, id }: ScannedThing): string => `about ${pageId} ${kind} ${id}`

/**
 * Says what was scanned to reach a page, so that a submission can be attributed to it. Signed for this page: a visitor
 * cannot make one up. The same for every visitor, because the page is cached with it.
 */
export function signScanContext(keyring: Keyring, pageId: string, scanned: ScannedThing): string {
  const { generation, signature } = keyring.sign('visit', signed(pageId, scanned))
  return `${scanned.kind}.${scanned.id}.${generation}.${signature.toString('base64url')}`
}

/** Returns null if it is missing, malformed, forged or of another page. */
export function openScanContext(keyring: Keyring, pageId: string, about: string | undefined): ScannedThing | null {
  const [, kind, id = '', generation, signature = ''] = ABOUT.exec(about ?? '') ?? []
  if (kind === undefined) return null
  const scanned: ScannedThing = { kind: kind as ScannedThing['kind'], id }
  const bytes = Buffer.from(signature, 'base64url')
  return keyring.verify('visit', Number(generation), signed(pageId, scanned), bytes) ? scanned : null
}
