export { buildDocument, type OpenApiDocument } from './document.ts'
