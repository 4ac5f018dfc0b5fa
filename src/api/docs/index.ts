import { once as onceEmitted } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Server } from '../../platform/http/server/server.ts'
import { fileUrl, GUIDE_FILES, LINKED_FILES } from './guides.ts'
import type { DocsSources, PreparedDocs } from './guides-thread.ts'
import { PAGE_HEADERS, type Titles } from './layout.ts'
import { guidePage, notFoundPage, searchPage, startPage, titlesOf } from './pages.ts'
import { familyPath, REFERENCE_PATH, VIEWER_PAGE_PATH } from './reference/operations.ts'
import { loadViewer } from './reference/viewer.ts'
import { VIEWER_HEADERS, VIEWER_PATH, viewerPage } from './reference/viewer-page.ts'
import type { Guide } from './render-guide.ts'
import { DocsSearch, QUERY_LENGTH_MAX } from './search.ts'
import { CACHED, type Content, type ContentRequest, once, serve, toContent } from './serve.ts'
import { STYLE } from './style.ts'

export interface DocsSettings {
  /** Where this installation is, for examples. */
  appUrl: string
}

/** Serves the contract at /v1/openapi.json for programs, and at /docs for people. Neither needs a credential. */
export function mountDocs(server: Server, { appUrl }: DocsSettings): void {
  const prepared = once(async () => prepare({ appUrl, files: GUIDE_FILES }))
  const guides = once(async () => toPages((await prepared()).guides))
  const reference = once(async () => {
    const { reference: pages } = await prepared()
    return new Map([...pages].map(([path, page]) => [path, toPage(page)]))
  })
  const search = once(async () => new DocsSearch((await prepared()).index))

  serve(server, '/v1/openapi.json', 'openapi', once(documentContent))
  serve(server, '/docs', 'docs', async () => (await guides()).start)
  serve(server, '/docs/:slug', 'docs', async ({ params: { slug = '' } }) => {
    const { pages, notFound } = await guides()
    return pages.get(slug) ?? notFound
  })
  serve(
    server,
    '/docs/search',
    'docs.search',
    async ({ query: { q } }) => {
      const query = typeof q === 'string' ? q.trim().slice(0, QUERY_LENGTH_MAX) : ''
      const found = query === '' ? [] : (await search()).find(query)
      return toPage(searchPage(query, found, (await guides()).titles))
    },
    'search',
  )
  serve(
    server,
    '/docs/style.css',
    'docs.files',
    once(async () => toContent('text/css', Buffer.from(STYLE), CACHED)),
  )
  for (const [path, url] of Object.entries(LINKED_FILES)) {
    if (!url.startsWith('/docs/')) continue
    serve(
      server,
      url,
      'docs.files',
      once(async () => toContent('application/json', await readFile(fileUrl(path)))),
    )
  }
  for (const [path, pathOf] of [
    [REFERENCE_PATH, () => REFERENCE_PATH],
    [familyPath(':family'), ({ family = '' }) => familyPath(family)],
  ] satisfies [string, (params: ContentRequest['params']) => string][]) {
    serve(server, path, 'docs.reference', async ({ params }) => {
      return (await reference()).get(pathOf(params)) ?? (await guides()).notFound
    })
  }
  serve(
    server,
    VIEWER_PAGE_PATH,
    'docs.reference',
    once(async () => toContent('text/html', Buffer.from(viewerPage((await loadViewer()).hash)), VIEWER_HEADERS)),
  )
  serve(server, VIEWER_PATH, 'docs.viewer', once(viewerContent))
  server.get('/docs/', { config: { operation: 'docs' } }, (request, reply) =>
    reply.header('x-request-id', request.id).redirect('/docs', 308),
  )
}

interface Pages {
  titles: Titles
  start: Content
  notFound: Content
  /** The keys are slugs. */
  pages: ReadonlyMap<string, Content>
}

const toPage = (page: string, status?: number): Content =>
  toContent('text/html', Buffer.from(page), PAGE_HEADERS, status)

function toPages(guides: readonly Guide[]): Pages {
  const titles = titlesOf(guides)
  return {
    titles,
    start: toPage(startPage(titles)),
    notFound: toPage(notFoundPage(titles), 404),
    pages: new Map(guides.map((guide) => [guide.slug, toPage(guidePage(guide, titles))])),
  }
}

/** Runs in a thread that then ends: it takes a second, in which no request would be served. */
async function prepare(sources: DocsSources): Promise<PreparedDocs> {
  const worker = new Worker(new URL('./guides-thread.ts', import.meta.url), { workerData: sources })
  const [prepared] = (await onceEmitted(worker, 'message')) as [PreparedDocs]
  await worker.terminate()
  return prepared
}

/**
 * The generated file, which is the same for all installations: to make it takes a second. Its lines are joined, because the
 * spaces before them are a third of it.
 */
async function documentContent(): Promise<Content> {
  const text = await readFile(fileUrl('openapi.json'), 'utf8')
  return toContent('application/json', Buffer.from(text.replace(/\n */g, '')))
}

async function viewerContent(): Promise<Content> {
  const { script } = await loadViewer()
  return toContent('text/javascript', Buffer.from(script.buffer, script.byteOffset, script.byteLength), CACHED)
}
