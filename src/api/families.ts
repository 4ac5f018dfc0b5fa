import { articleCategoryEvents, articleCategoryRoutes, hasCategories } from '../modules/article-categories/index.ts'
import { articleRelationRoutes } from '../modules/article-relations/index.ts'
import { articleSearchRoutes } from '../modules/article-search/index.ts'
import { articleTagRoutes } from '../modules/article-tags/index.ts'
import { articleTranslationRoutes } from '../modules/article-translations/index.ts'
import { articleVersionRoutes, type VersionSettings } from '../modules/article-versions/index.ts'
import { articleEvents, articleRoutes, deleteArticlesIn, hasArticles } from '../modules/articles/index.ts'
import { customDomainEvents, customDomainRoutes, type DomainSettings } from '../modules/custom-domains/index.ts'
import { describeEventTypes, eventTypeRoutes } from '../modules/event-types/index.ts'
import { eventRoutes } from '../modules/events/index.ts'
import { knowledgeBaseRoutes } from '../modules/knowledge-bases/index.ts'
import { meRoutes } from '../modules/me/index.ts'
import { objectEvents, objectRoutes } from '../modules/objects/index.ts'
import { type ProductSettings, productEvents, productRoutes } from '../modules/products/index.ts'
import { detachCodes, qrCodeEvents, qrCodeRoutes } from '../modules/qr-codes/index.ts'
import { qrGroupEvents, qrGroupRoutes } from '../modules/qr-groups/index.ts'
import type { CodeSettings } from '../modules/scan-targets/index.ts'
import { scanEvents, scanRoutes } from '../modules/scans/index.ts'
import { resumeDeliveries, webhookDeliveryRoutes } from '../modules/webhook-deliveries/index.ts'
import { type WebhookSettings, webhookEvents, webhookRoutes } from '../modules/webhooks/index.ts'
import type { Route } from '../platform/http/routes.ts'
import type { EventCatalogue } from '../platform/outbox.ts'

/** What families need to know of the installation. */
export interface FamilySettings {
  articles: VersionSettings
  domains: DomainSettings
  codes: CodeSettings
  products: ProductSettings
  webhooks: WebhookSettings
}

/** Every family of the API. A new one is a folder in modules/ and a line here. */
export function familyRoutes({ articles, domains, codes, products, webhooks }: FamilySettings): Route[] {
  const eventTypes = describeEventTypes(eventCatalogue, webhookEvents)
  return [
    ...meRoutes,
    ...articleTagRoutes,
    ...articleSearchRoutes(codes),
    ...customDomainRoutes(domains),
    ...qrGroupRoutes(detachCodes),
    ...qrCodeRoutes(codes),
    ...objectRoutes(codes),
    ...productRoutes(products),
    ...scanRoutes,
    ...knowledgeBaseRoutes(
      codes,
      async (tx, orgId, id) => (await hasArticles(tx, orgId, id)) || (await hasCategories(tx, orgId, id)),
    ),
    ...articleRoutes(articles),
    ...articleTranslationRoutes(articles),
    ...articleVersionRoutes(articles),
    ...articleRelationRoutes,
    ...articleCategoryRoutes(deleteArticlesIn),
    ...webhookRoutes(Object.keys(eventCatalogue), webhooks, resumeDeliveries),
    ...webhookDeliveryRoutes(eventTypes),
    ...eventTypeRoutes(eventTypes),
    ...eventRoutes,
  ]
}

/** Everything that can happen, over all families. */
export const eventCatalogue: EventCatalogue = {
  ...qrCodeEvents,
  ...qrGroupEvents,
  ...objectEvents,
  ...productEvents,
  ...scanEvents,
  ...customDomainEvents,
  ...articleEvents,
  ...articleCategoryEvents,
}

/** Everything that an endpoint can be sent. */
export const deliverableEvents: EventCatalogue = { ...eventCatalogue, ...webhookEvents }
