import { fileURLToPath } from 'node:url'
import { updateProfile } from '../../modules/account/organisations/index.ts'
import { createImageDownloads } from '../../modules/codes/products/index.ts'
import { type RecordedScan, storeScans } from '../../modules/codes/scans/index.ts'
import { importArticles } from '../../modules/knowledge/article-files/index.ts'
import { createKnowledgeBase } from '../../modules/knowledge/knowledge-bases/index.ts'
import { type Clock, DAY_MS, timestamp } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Context } from '../../platform/http/index.ts'
import { createMarkdown } from '../../platform/markdown/index.ts'
import { createOutboundClient } from '../../platform/outbound/index.ts'
import { assetSettings, openAssetStore } from '../asset-settings.ts'
import type { Config } from '../config.ts'
import { operatorContext } from '../operator-context.ts'
import { createAssistant } from './chatbot.ts'
import { createConversations } from './conversations.ts'
import { createDomain } from './domain.ts'
import { createDemoOrganisation, type DemoOrganisation, demoDomain } from './organisation.ts'
import { createFaultReport } from './page.ts'
import { inventScans } from './scans.ts'
import { createSubmissions } from './submissions.ts'
import { createThings, type Things } from './things.ts'

const DAYS = 30
const RECENT_DAYS = 3
const SCANS_PER_WRITE = 500
const ARTICLES = fileURLToPath(new URL('./articles', import.meta.url))
const KNOWLEDGE_BASE = 'help'
const BRAND = { primary_color: '#7c4a1e', corner_radius: 12, light_background: '#faf5ee' }

export interface Demo extends DemoOrganisation, Pick<Things, 'exampleUrl'> {
  helpCentreUrl: string
  pageUrl: string
  /** The receipt of a report that somebody has replied to. */
  receiptUrl: string
  chatbotUrl: string
  counts: Things['counts'] & {
    custom_domains: number
    custom_domain_routes: number
    pages: number
    chatbots: number
    submissions: number
    conversations: number
    articles: number
    translations: number
    scans: number
  }
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
  const created = await createDemoOrganisation(database, since(DAYS), config.credits.starting)
  const { id: orgId, slug } = created.organisation
  const ctx = operatorContext(database, orgId, since(DAYS))
  await updateProfile(ctx(), { brand: BRAND }, async () => {})
  const base = await createKnowledgeBase(
    ctx(),
    {
      name: 'Acme help',
      slug: KNOWLEDGE_BASE,
      description: 'Everything about your coffee machine',
      contact_email: `help@${demoDomain(slug)}`,
      is_published: true,
      translations: {
        de: { name: 'Acme Hilfe', description: 'Alles über Ihre Kaffeemaschine' },
        fr: { name: 'Aide Acme', description: 'Tout sur votre machine à café' },
      },
    },
    config.publicUrl,
  )
  const articles = await createArticles(database, config, ctx, note)
  const page = await createFaultReport(ctx(), config.publicUrl)
  const chatbot = await createAssistant(ctx(), base.id, config.publicUrl)
  const shown = { slug, knowledgeBaseId: base.id, pageId: page.id, chatbotId: chatbot.id }
  const things = await createDemoThings(database, config, {
    ctx,
    recently: operatorContext(database, orgId, since(RECENT_DAYS)),
    ...shown,
  })
  const domains = await createDomain(ctx, config, shown)
  const machines = things.scanned.filter(({ kind }) => kind === 'object').map(({ id }) => id)
  const { count: submissions, receiptUrl } = await createSubmissions(
    database,
    config,
    orgId,
    page.public_slug,
    machines,
    nowMs,
  )
  const conversations = await createConversations(database, config, {
    orgId,
    chatbotId: chatbot.id,
    helpCentreSlug: base.public_slug,
    objectIds: machines,
    nowMs,
  })
  const scans = await createScans(database, inventScans(orgId, things.scanned, DAYS, nowMs), nowMs, note)
  return {
    ...created,
    exampleUrl: things.exampleUrl,
    helpCentreUrl: base.url,
    pageUrl: page.url,
    receiptUrl,
    chatbotUrl: chatbot.url,
    counts: { ...things.counts, ...domains, pages: 1, chatbots: 1, submissions, conversations, ...articles, scans },
  }
}

async function createArticles(
  database: Database,
  config: Config,
  ctx: () => Context,
  note: (name: string, count: number) => void,
) {
  const markdown = createMarkdown(1)
  try {
    const imported = await importArticles(ctx, {
      dir: ARTICLES,
      base: KNOWLEDGE_BASE,
      markdown,
      publicUrl: config.publicUrl,
      assets: assetSettings(config, database, await openAssetStore(config)),
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
  pageId: string
  chatbotId: string
}

async function createDemoThings(
  database: Database,
  config: Config,
  { ctx, recently, ...ids }: DemoThings,
): Promise<Things> {
  const client = createOutboundClient(config.outbound)
  try {
    const assets = assetSettings(config, database, await openAssetStore(config))
    const { publicUrl } = config
    const products = { ...assets, linkUrl: publicUrl, outbound: client, downloads: createImageDownloads() }
    return await createThings(ctx, recently, { ...ids, publicUrl, products })
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
