import { resourceEvents } from '../../../platform/outbox/index.ts'
import { QrCode } from './contract.ts'

export const qrCodeEvents = resourceEvents('qr_code', QrCode, { label: 'QR code' })
