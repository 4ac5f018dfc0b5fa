import { apiKeyRoutes } from '../modules/account/api-keys/index.ts'
import { auditLogRoutes } from '../modules/account/audit-log/index.ts'
import { connectedApplicationRoutes, endGrantsOf } from '../modules/account/connected-applications/index.ts'
import { type Credits, creditRoutes, INSUFFICIENT_CREDITS } from '../modules/account/credits/index.ts'
import { type InvitationSender, invitationEvents, invitationRoutes } from '../modules/account/invitations/index.ts'
import { jobRoutes } from '../modules/account/jobs/index.ts'
import { meRoutes } from '../modules/account/me/index.ts'
import { memberEvents, memberRoutes } from '../modules/account/members/index.ts'
import { organisationDeletionRoutes } from '../modules/account/organisation-deletion/index.ts'
import { organisationRoutes } from '../modules/account/organisations/index.ts'
import { roleRoutes } from '../modules/account/roles/index.ts'
import { type TrustMails, withdrawTrust } from '../modules/account/withdrawn-trust/index.ts'
import { assetRoutes, setAssetReferences, type UploadSettings } from '../modules/assets/assets/index.ts'
import { type ChatbotSettings, chatbotEvents, chatbotRoutes } from '../modules/chat/chatbots/index.ts'
import { conversationTagRoutes } from '../modules/chat/conversation-tags/index.ts'
import {
  type ConversationSettings,
  conversationEvents,
  conversationRoutes,
} from '../modules/chat/conversations/index.ts'
import { unansweredRoutes } from '../modules/chat/questions/index.ts'
import type { Logos } from '../modules/codes/code-images/index.ts'
import { destinationChangeRoutes } from '../modules/codes/destination-changes/index.ts'
import { objectEvents, objectRoutes } from '../modules/codes/objects/index.ts'
import { productLinkRoutes } from '../modules/codes/product-links/index.ts'
import { type ImageSettings, productEvents, productRoutes } from '../modules/codes/products/index.ts'
import { detachCodes, detachCodesOfObject, qrCodeEvents, qrCodeRoutes } from '../modules/codes/qr-codes/index.ts'
import { qrGroupEvents, qrGroupRoutes } from '../modules/codes/qr-groups/index.ts'
import type { RuleSettings } from '../modules/codes/rules/index.ts'
import { scanEvents, scanRoutes } from '../modules/codes/scans/index.ts'
import { type Simulate, simulationRoutes } from '../modules/codes/simulations/index.ts'
import { codeDomains, customDomainRouteRoutes, dropRoutesOf } from '../modules/domains/custom-domain-routes/index.ts'
import { customDomainEvents, customDomainRoutes, type DomainSettings } from '../modules/domains/custom-domains/index.ts'
import {
  articleCategoryEvents,
  articleCategoryRoutes,
  CATEGORY_NOT_EMPTY,
  hasCategories,
} from '../modules/knowledge/article-categories/index.ts'
import { articleRelationRoutes } from '../modules/knowledge/article-relations/index.ts'
import { articleSearchRoutes } from '../modules/knowledge/article-search/index.ts'
import { articleTagRoutes } from '../modules/knowledge/article-tags/index.ts'
import { articleTranslationRoutes } from '../modules/knowledge/article-translations/index.ts'
import { articleVersionRoutes, type VersionSettings } from '../modules/knowledge/article-versions/index.ts'
import { articleEvents, articleRoutes, deleteArticlesIn, hasArticles } from '../modules/knowledge/articles/index.ts'
import { knowledgeBaseRoutes } from '../modules/knowledge/knowledge-bases/index.ts'
import { isCentrePart } from '../modules/knowledge/public-articles/index.ts'
import { synonymRoutes } from '../modules/knowledge/synonyms/index.ts'
import { pageTemplateRoutes } from '../modules/pages/page-templates/index.ts'
import { pageEvents, pageRoutes } from '../modules/pages/pages/index.ts'
import { submissionEvents, submissionRoutes } from '../modules/pages/submissions/index.ts'
import { describeEventTypes, eventTypeRoutes } from '../modules/webhooks/event-types/index.ts'
import { eventRoutes } from '../modules/webhooks/events/index.ts'
import {
  forgetResponses,
  resumeDeliveries,
  webhookDeliveryRoutes,
} from '../modules/webhooks/webhook-deliveries/index.ts'
import {
  deleteEndpointsOfGrant,
  type WebhookSettings,
  webhookEvents,
  webhookRoutes,
} from '../modules/webhooks/webhooks/index.ts'
import type { Operation } from '../platform/contract/operation.ts'
import type { FamilyError } from '../platform/errors/index.ts'
import type { Route } from '../platform/http/pipeline/routes.ts'
import type { PublicUrlOf } from '../platform/http/server/public-url.ts'
import type { EventCatalogue } from '../platform/outbox/index.ts'

/** What the families need to know about the installation. */
export interface FamilySettings {
  articles: VersionSettings
  assets: UploadSettings
  chatbots: ChatbotSettings
  conversations: ConversationSettings
  credits: Pick<Credits, 'getBalance'>
  domains: DomainSettings
  mails: InvitationSender & TrustMails
  /** The address of the service for visitors. */
  publicUrl: string
  /** The address that links of an organisation begin with. */
  publicUrlOf: PublicUrlOf
  products: ImageSettings
  logos: Logos
  rules: RuleSettings
  simulate: Simulate
  webhooks: WebhookSettings
}

interface FamilyGroup {
  name: string
  routes: Route[]
}

/**
 * The routes of every family, in groups for the reference: what a newcomer needs first comes first. A new family is a folder
 * in modules/ and a line here.
 */
export function familyGroups(settings: FamilySettings): FamilyGroup[] {
  const {
    articles,
    assets,
    chatbots,
    conversations,
    credits,
    domains,
    logos,
    mails,
    publicUrl,
    publicUrlOf,
    products,
    rules,
    simulate,
    webhooks,
  } = settings
  const eventTypes = describeEventTypes(eventCatalogue, webhookEvents)
  return [
    {
      name: 'Codes',
      routes: [
        ...qrCodeRoutes(publicUrlOf, logos, codeDomains(isCentrePart), rules),
        ...qrGroupRoutes(detachCodes, rules),
        ...objectRoutes(publicUrlOf, logos, detachCodesOfObject, rules),
        ...productRoutes(products, publicUrlOf, logos, rules),
        ...productLinkRoutes(products, publicUrlOf),
        ...scanRoutes,
        ...simulationRoutes(simulate),
        ...destinationChangeRoutes,
      ],
    },
    {
      name: 'Pages and forms',
      routes: [
        ...pageRoutes(publicUrlOf),
        ...pageTemplateRoutes,
        ...submissionRoutes(assets, forgetResponses, { mails, publicUrlOf }),
        ...assetRoutes(assets),
      ],
    },
    {
      name: 'Help centre',
      routes: [
        ...knowledgeBaseRoutes(
          publicUrlOf,
          async (tx, orgId, id) => (await hasArticles(tx, orgId, id)) || (await hasCategories(tx, orgId, id)),
        ),
        ...synonymRoutes,
        ...articleSearchRoutes(publicUrlOf),
        ...articleRoutes(articles.markdown, publicUrlOf),
        ...articleCategoryRoutes(deleteArticlesIn),
        ...articleTagRoutes,
        ...articleTranslationRoutes(articles.markdown, publicUrlOf),
        ...articleVersionRoutes(articles, publicUrlOf),
        ...articleRelationRoutes(publicUrlOf),
      ],
    },
    {
      name: 'Chat',
      routes: [
        ...chatbotRoutes(publicUrlOf, chatbots),
        ...conversationRoutes(conversations, publicUrlOf, forgetResponses),
        ...conversationTagRoutes,
        ...unansweredRoutes,
      ],
    },
    {
      name: 'Domains',
      routes: [...customDomainRoutes(domains, dropRoutesOf), ...customDomainRouteRoutes(publicUrl, isCentrePart)],
    },
    {
      name: 'Webhooks and events',
      routes: [
        ...webhookRoutes(eventMeanings(), webhooks, resumeDeliveries),
        ...webhookDeliveryRoutes(eventTypes),
        ...eventTypeRoutes(eventTypes),
        ...eventRoutes,
      ],
    },
    {
      name: 'Organisation and team',
      routes: [
        ...organisationRoutes((tx, orgId, logo, now) =>
          setAssetReferences(tx, orgId, { kind: 'organisation', id: orgId }, [logo.after], now, {
            before: [logo.before],
          }),
        ),
        ...organisationDeletionRoutes,
        ...memberRoutes({
          endGrants: (tx, orgId, userId, now) => endGrantsOf(tx, orgId, userId, now, deleteEndpointsOfGrant),
          withdrawTrust: (tx, orgId, member, now) => withdrawTrust(tx, orgId, member, now, mails),
        }),
        ...invitationRoutes(mails),
        ...roleRoutes,
        ...creditRoutes(credits),
        ...auditLogRoutes,
        ...jobRoutes,
      ],
    },
    {
      name: 'Credentials',
      routes: [...meRoutes, ...apiKeyRoutes, ...connectedApplicationRoutes(deleteEndpointsOfGrant)],
    },
  ]
}

export interface OperationGroup {
  name: string
  operations: Operation[]
}

export const operationsOf = (groups: readonly FamilyGroup[]): OperationGroup[] =>
  groups.map(({ name, routes }) => ({ name, operations: routes.map(({ operation }) => operation) }))

/** Every event that can be subscribed to. */
export const eventCatalogue: EventCatalogue = {
  ...qrCodeEvents,
  ...qrGroupEvents,
  ...objectEvents,
  ...productEvents,
  ...scanEvents,
  ...customDomainEvents,
  ...articleEvents,
  ...articleCategoryEvents,
  ...chatbotEvents,
  ...conversationEvents,
  ...pageEvents,
  ...submissionEvents,
  ...memberEvents,
  ...invitationEvents,
}

const eventMeanings = (): Record<string, string> =>
  Object.fromEntries(Object.entries(eventCatalogue).map(([type, { description }]) => [type, description]))

/** Error codes that one family adds to the common ones. */
export const familyErrors: readonly FamilyError[] = [CATEGORY_NOT_EMPTY, INSUFFICIENT_CREDITS]

/** Every event that an endpoint can receive. */
export const deliverableEvents: EventCatalogue = { ...eventCatalogue, ...webhookEvents }
