import type { EventCatalogue } from '../../../platform/outbox/index.ts'
import { Scan } from './contract.ts'

/** Emitted only when a webhook endpoint subscribes to the event: there are many scans. */
export const scanEvents = {
  'qr_code.scanned': { description: 'A QR code was scanned.', payload: Scan },
  'object.scanned': { description: 'An object was scanned.', payload: Scan },
  'product.scanned': { description: 'A product was scanned.', payload: Scan },
} satisfies EventCatalogue
