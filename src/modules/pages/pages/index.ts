export type { Background, Island, Page, PageStatus, PageWithBlocks, Translations } from './contract.ts'
export { pageEvents } from './events.ts'
export { pageRoutes } from './routes.ts'
export { createPage, PAGES_TOPIC } from './service.ts'
