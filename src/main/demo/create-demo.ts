import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createImageDownloads } from '../../modules/codes/products/index.ts'
import { type RecordedScan, storeScans } from '../../modules/codes/scans/index.ts'
import { importArticles } from '../../modules/knowledge/article-files/index.ts'
import { createKnowledgeBase } from '../../modules/knowledge/knowledge-bases/index.ts'
import { type Clock, DAY_MS, timestamp } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { openAssets } from '../../platform/files/assets.ts'
import type { Context } from '../../platform/http/index.ts'
import { createMarkdown } from '../../platform/markdown/index.ts'
import { createOutboundClient } from '../../platform/outbound/index.ts'
import type { Config } from '../config.ts'
import { operatorContext } from '../operator-context.ts'
import { createDemoOrganisation, type DemoOrganisation } from './organisation.ts'
import { inventScans } from './scans.ts'
import { createThings, type Things } from './things.ts'

const DAYS = 30
const RECENT_DAYS = 3
const SCANS_PER_WRITE = 500
const ARTICLES = fileURLToPath(new URL('./articles', import.meta.url))
const KNOWLEDGE_BASE = 'help'

export interface Demo extends DemoOrganisation, Pick<Things, 'exampleUrl'> {
  helpCentreUrl: string
  counts: Things['counts'] & { articles: number; translations: number; scans: number }
}

/**
 * Creates an organisation that looks as if it had existed for a month. Everything is created by the services of the API,
 * with a clock that is a month slow.
 */
export async function createDemo(
  database: Database,
  config: Config,
  clock: Clock,
  note: (name: string, count: number) => void,
): Promise<Demo> {
  const nowMs = clock()
  const since = (days: number) => () => nowMs - days * DAY_MS
  const created = await createDemoOrganisation(database, since(DAYS))
  const { id: orgId, slug } = created.organisation
  const ctx = operatorContext(database, orgId, since(DAYS))
  const base = await createKnowledgeBase(
    ctx(),
    {
      name: 'Acme help',
      slug: KNOWLEDGE_BASE,
      description: 'Everything about your coffee machine',
      primary_color: '#7c4a1e',
      is_published: true,
    },
    config.publicUrl,
  )
  const articles = await createArticles(ctx, note)
  const things = await createDemoThings(config, {
    ctx,
    recently: operatorContext(database, orgId, since(RECENT_DAYS)),
    slug,
    knowledgeBaseId: base.id,
  })
  const scans = await createScans(database, inventScans(orgId, things.scanned, DAYS, nowMs), nowMs, note)
  return {
    ...created,
    exampleUrl: things.exampleUrl,
    helpCentreUrl: base.url,
    counts: { ...things.counts, ...articles, scans },
  }
}

async function createArticles(ctx: () => Context, note: (name: string, count: number) => void) {
  const markdown = createMarkdown(1)
  try {
    const imported = await importArticles(ctx, {
      dir: ARTICLES,
      base: KNOWLEDGE_BASE,
      markdown,
      onChecked: () => {},
      onImported: note,
    })
    return { articles: imported.created, translations: imported.translations.created }
  } finally {
    await markdown.close()
  }
}

interface DemoThings {
  ctx: () => Context
  recently: () => Context
  slug: string
  knowledgeBaseId: string
}

async function createDemoThings(
  { publicUrl, storageBytesMax, dataDir, outbound }: Config,
  { ctx, recently, slug, knowledgeBaseId }: DemoThings,
): Promise<Things> {
  const client = createOutboundClient(outbound)
  try {
    const assets = openAssets(join(dataDir, 'assets'))
    const products = { publicUrl, storageBytesMax, assets, outbound: client, downloads: createImageDownloads() }
    return await createThings(ctx, recently, { slug, knowledgeBaseId, publicUrl, products })
  } finally {
    await client.close()
  }
}

async function createScans(
  database: Database,
  scans: Iterable<RecordedScan>,
  nowMs: number,
  note: (name: string, count: number) => void,
): Promise<number> {
  let stored = 0
  let batch: RecordedScan[] = []
  const store = async () => {
    await storeScans(database, batch, timestamp(nowMs))
    stored += batch.length
    note('scans', stored)
    batch = []
  }
  for (const scan of scans) {
    batch.push(scan)
    if (batch.length === SCANS_PER_WRITE) await store()
  }
  if (batch.length > 0) await store()
  return stored
}
