import type { EventCatalogue } from '../../../platform/outbox/index.ts'
import { Scan } from './contract.ts'

/** The payload is the scan. Written only for organisations in which somebody subscribed: there are many scans. */
export const scanEvents = {
  'qr_code.scanned': { description: 'A QR code was scanned.', payload: Scan },
  'object.scanned': { description: 'An object was scanned.', payload: Scan },
  'product.scanned': { description: 'A product was scanned.', payload: Scan },
} satisfies EventCatalogue
