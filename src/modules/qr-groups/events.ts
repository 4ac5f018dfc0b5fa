import { resourceEvents } from '../../platform/outbox.ts'
import { QrGroup } from './contract.ts'

export const qrGroupEvents = resourceEvents('qr_group', QrGroup)
