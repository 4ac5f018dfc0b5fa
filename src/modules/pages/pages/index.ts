export {
  type Background,
  DEFAULT_BACKGROUND,
  DEFAULT_ISLAND,
  type Island,
  type PageStatus,
  type PageWithBlocks,
  type Translations,
} from './contract.ts'
export { createPage } from './create.ts'
export { pageEvents } from './events.ts'
export { pageRoutes } from './routes.ts'
export { PAGES_TOPIC, toBackground } from './stored-page.ts'
