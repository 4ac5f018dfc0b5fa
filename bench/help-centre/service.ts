import { join } from 'node:path'
import type { Usage } from '../support/children.ts'
import { credentials, startService } from '../support/service.ts'
import { whole } from '../support/table.ts'
import { fillCentre } from './fill.ts'

/** A service with one help centre. */
export interface HelpCentre extends AsyncDisposable {
  engine: string
  articles: number
  name: string
  port: number
  /** The path of its home page. */
  path: string
  usage(): Promise<Usage>
}

/** Each help centre has its own database, so that the rows of different sizes do not mix. */
export async function startHelpCentre(articles: number, databaseUrl?: string): Promise<HelpCentre> {
  const engine = databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'
  const name = `${engine}, ${whole(articles)}`
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startService(databaseUrl))
  const { port, first, dataDir } = service
  const response = await fetch(`http://127.0.0.1:${port}/v1/knowledge-bases`, {
    method: 'POST',
    headers: { ...credentials(first), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Acme', description: 'How to look after your furniture', is_published: true }),
  })
  if (!response.ok) throw new Error(`creating a knowledge base returned ${response.status}`)
  const { id, public_slug } = (await response.json()) as { id: string; public_slug: string }
  const location = databaseUrl === undefined ? { file: join(dataDir, 'waymark.db') } : { url: databaseUrl }
  await fillCentre(name, location, { orgId: first.orgId, knowledgeBaseId: id }, articles)
  const started = stack.move()
  return {
    engine,
    articles,
    name,
    port,
    path: `/kb/${public_slug}`,
    usage: () => service.usage(),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
