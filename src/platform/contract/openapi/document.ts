import { errorTable, type FamilyError } from '../../errors/index.ts'
import type { EventCatalogue } from '../../outbox/index.ts'
import type { Operation } from '../operation.ts'
import { Components } from './components.ts'
import type { Json } from './json.ts'
import { describeOperation, responseSchema } from './operations.ts'
import { type DeliveryHeaders, describeWebhooks } from './webhooks.ts'

export interface DocumentSource {
  title: string
  version: string
  /** Markdown. */
  description: string
  operations: readonly Operation[]
  /** How readers find the families: viewers show them in these groups, in this order. */
  groups: readonly { name: string; families: readonly Operation['family'][] }[]
  events: EventCatalogue
  deliveryHeaders: DeliveryHeaders
  /** Describes the bearer token. */
  bearer: string
  /** How applications get a token that acts for a person, and what each scope allows. */
  oauth: OAuthSource
  /** The cookie of people who are signed in, which every operation accepts as well. */
  session: { cookie: string; description: string }
  /** The codes that families add to the common ones. */
  errors: readonly FamilyError[]
}

interface OAuthSource {
  description: string
  authorizationUrl: string
  tokenUrl: string
  scopes: Readonly<Record<string, string>>
}

export interface OpenApiDocument extends Json {
  paths: Record<string, Record<string, Json>>
  components: Record<string, Record<string, Json>>
}

/** The whole contract as an OpenAPI 3.1 document. */
export function buildDocument(source: DocumentSource): OpenApiDocument {
  const components = new Components(errorTable(source.errors))
  // Response schemas go first. A request schema that differs from its response then gets the suffix `Input`.
  for (const operation of source.operations) responseSchema(components, operation)
  const webhooks = describeWebhooks(components, source.events, source.deliveryHeaders)
  const paths = describePaths(components, source)
  const shared = components.toJson()
  return {
    openapi: '3.1.0',
    info: {
      title: source.title,
      version: source.version,
      description: source.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }, { oauth2: [] }, { session: [] }],
    tags: describeFamilies(source),
    'x-tagGroups': source.groups.map(({ name, families }) => ({ name, tags: families.map((family) => family.name) })),
    paths,
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: {
      ...shared,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: source.bearer },
        oauth2: describeOAuth(source.oauth),
        session: { type: 'apiKey', in: 'cookie', name: source.session.cookie, description: source.session.description },
      },
    },
  }
}

function describePaths(components: Components, { operations, oauth }: DocumentSource): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    const { path, method } = operation.declared
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(components, operation, oauth.scopes) }
  }
  return paths
}

const describeOAuth = ({ description, authorizationUrl, tokenUrl, scopes }: OAuthSource): Json => ({
  type: 'oauth2',
  description,
  flows: { authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes: { ...scopes } } },
})

const describeFamilies = ({ groups }: DocumentSource): Json[] =>
  groups
    .flatMap(({ families }) => families)
    .map(({ name, title, about }) => ({ name, 'x-displayName': title, description: about }))
