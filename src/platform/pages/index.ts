export { respondBusy, sendBusy } from './busy.ts'
export { compressPage } from './compress-page.ts'
export { isTemporary, statusOf } from './error-status.ts'
export { markdownHtml } from './markdown-html.ts'
export { type PageResponse, redirect, respondJson, retryAfter } from './page-response.ts'
export { type PageRoute, type RoutedRequest, type RouteResult, route } from './route.ts'
export { sendPage, sendRaw } from './send.ts'
export {
  HTML_TYPE,
  type RenderedPage,
  type StorablePage,
  type StoredPage,
  sizeOf,
  toOwnPage,
  toStoredPage,
} from './stored-page.ts'
