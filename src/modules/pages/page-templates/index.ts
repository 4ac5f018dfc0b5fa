export type { TemplateName } from './contract.ts'
export { pageTemplateRoutes } from './routes.ts'
export { getTemplate } from './templates.ts'
