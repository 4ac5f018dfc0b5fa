export { markdownHtml } from './markdown-html.ts'
export { sendPage, sendRaw } from './send.ts'
export {
  HTML_TYPE,
  type RenderedPage,
  type StorablePage,
  type StoredPage,
  sizeOf,
  toStoredPage,
} from './stored-page.ts'
