export type { Context } from './context.ts'
export { cursorPage, offsetPage, pageOf, requireModestPage } from './pages.ts'
export { implement } from './routes.ts'
export { parsePayload } from './validation.ts'
