import { createRoute } from '../../modules/domains/custom-domain-routes/index.ts'
import { connectDomain } from '../../modules/domains/custom-domains/index.ts'
import { isCentrePart } from '../../modules/knowledge/public-articles/index.ts'
import type { Context } from '../../platform/http/index.ts'
import type { Config } from '../config.ts'
import { domainTargetsOf } from '../domain-verification.ts'
import { ownHostsOf } from '../own-hosts.ts'

interface DomainContent {
  slug: string
  knowledgeBaseId: string
  pageId: string
  chatbotId: string
}

/** Connects a domain with routes. Nobody owns it, so it stays as a domain is before its records exist. */
export async function createDomain(
  ctx: () => Context,
  config: Config,
  { slug, knowledgeBaseId, pageId, chatbotId }: DomainContent,
): Promise<{ custom_domains: number; custom_domain_routes: number }> {
  const settings = { targets: domainTargetsOf(config), ownHosts: ownHostsOf(config) }
  const { id: domain_id } = await connectDomain(ctx(), { domain: `id.${slug}.example` }, settings)
  const routes = [
    { slug: 'help', type: 'kb' as const, kb_id: knowledgeBaseId },
    { slug: 'report', type: 'page' as const, page_id: pageId },
    { slug: 'chat', type: 'chatbot' as const, chatbot_id: chatbotId },
  ]
  for (const route of routes)
    await createRoute(ctx(), { ...route, domain_id }, { publicUrl: config.publicUrl, isCentrePart })
  return { custom_domains: 1, custom_domain_routes: routes.length }
}
