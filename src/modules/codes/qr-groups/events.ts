import { resourceEvents } from '../../../platform/outbox/index.ts'
import { QrGroup } from './contract.ts'

export const qrGroupEvents = resourceEvents('qr_group', QrGroup, { label: 'QR group' })
