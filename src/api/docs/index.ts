import { once as onceEmitted } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Server } from '../../platform/http/server/server.ts'
import type { OperationGroup } from '../families.ts'
import { fileUrl, GUIDE_FILES, LINKED_FILES } from './guides.ts'
import type { DocsSources, PreparedDocs } from './guides-thread.ts'
import { PAGE_HEADERS, type Titles } from './layout.ts'
import { guidePage, notFoundPage, searchPage, startPage, titlesOf } from './pages.ts'
import { listOperations, REFERENCE_PATH } from './reference.ts'
import { REFERENCE_HEADERS, referencePage, VIEWER_PATH } from './reference-page.ts'
import type { Guide } from './render-guide.ts'
import { DocsSearch, QUERY_LENGTH_MAX } from './search.ts'
import { CACHED, type Content, once, serve, toContent } from './serve.ts'
import { STYLE } from './style.ts'
import { loadViewer } from './viewer.ts'

export interface DocsSettings {
  /** Where this installation is, for examples. */
  appUrl: string
  groups: readonly OperationGroup[]
}

/** Serves the contract at /v1/openapi.json for programs, and at /docs for people. Neither needs a credential. */
export function mountDocs(server: Server, { appUrl, groups: operationGroups }: DocsSettings): void {
  const groups = once(async () => listOperations(operationGroups))
  const prepared = once(async () => prepare({ appUrl, files: GUIDE_FILES, groups: await groups() }))
  const guides = once(async () => toPages((await prepared()).guides))
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
  serve(
    server,
    REFERENCE_PATH,
    'docs.reference',
    once(async () => {
      const { hash } = await loadViewer()
      return toContent('text/html', Buffer.from(referencePage(hash, await groups())), REFERENCE_HEADERS)
    }),
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
