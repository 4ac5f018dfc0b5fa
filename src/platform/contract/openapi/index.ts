export { buildDocument, type OpenApiDocument } from './document.ts'
export { describePayload } from './payload.ts'
