export { buildDocument, type OpenApiDocument } from './document.ts'
export { describePayload } from './payload.ts'
export type { DeliveryHeaders } from './webhooks.ts'
