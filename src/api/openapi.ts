import { readFileSync } from 'node:fs'
import { ENDPOINTS } from '../modules/account/oauth/index.ts'
import { SCOPE_MEANINGS, SCOPES } from '../modules/account/scopes/index.ts'
import { sessionCookie } from '../modules/account/sessions/index.ts'
import type { UploadSettings } from '../modules/assets/assets/index.ts'
import { createImageDownloads } from '../modules/codes/products/index.ts'
import { createDiffer } from '../modules/knowledge/article-versions/index.ts'
import { DELIVERY_HEADERS } from '../modules/webhooks/webhooks/index.ts'
import { buildDocument, type OpenApiDocument } from '../platform/contract/openapi/index.ts'
import type { Operation } from '../platform/contract/operation.ts'
import { openLocalStore } from '../platform/files/local-store.ts'
import { ImageCleaner } from '../platform/images/index.ts'
import { createMarkdown } from '../platform/markdown/index.ts'
import { createOutboundClient } from '../platform/outbound/index.ts'
import { WAYMARK_VERSION } from '../platform/telemetry/build.ts'
import {
  deliverableEvents,
  type FamilySettings,
  familyErrors,
  familyGroups,
  type OperationGroup,
  operationsOf,
} from './families.ts'

const fail = () => Promise.reject(new Error('there is no database'))

const ANY_ASSETS: UploadSettings = {
  store: openLocalStore(''),
  publicUrl: '',
  write: fail,
  storageLimitOf: async () => 0,
  images: new ImageCleaner(),
}

/** Operations do not depend on the settings, so any will do to read them. */
const ANY_SETTINGS: FamilySettings = {
  articles: { markdown: createMarkdown(1), differ: createDiffer() },
  chatbots: {
    answering: { ask: fail, creditsOf: () => 0 },
    credits: { require: fail, priceOf: fail, spend: fail },
    models: [],
    passwords: { hash: fail },
  },
  conversations: {
    appUrl: '',
    publicUrl: '',
    mails: { admits: fail, canSend: false, toHolders: fail, toOutsider: fail },
    assets: ANY_ASSETS,
  },
  credits: { getBalance: fail },
  domains: {
    targets: { a: [], aaaa: [], cname: '' },
    ownHosts: [],
    verification: { admit: fail, check: fail, store: fail },
  },
  logos: { read: fail },
  mails: { admits: fail, canSend: false, toOutsider: fail, toOwners: fail },
  publicUrl: '',
  publicUrlOf: () => '',
  assets: ANY_ASSETS,
  products: {
    ...ANY_ASSETS,
    outbound: createOutboundClient({ ports: [], devAllow: [] }),
    downloads: createImageDownloads(),
  },
  rules: { knowsCountries: false, addressesOf: fail },
  simulate: fail,
  webhooks: { urlRules: { ports: [], devAllow: [] }, seal: () => '' },
}

const operationGroups = (): OperationGroup[] => operationsOf(familyGroups(ANY_SETTINGS))

export const familyOperations = (): Operation[] => operationGroups().flatMap(({ operations }) => operations)

/** The API as an OpenAPI document. */
export function openApiDocument(): OpenApiDocument {
  const groups = operationGroups()
  return buildDocument({
    title: 'Waymark API',
    version: WAYMARK_VERSION,
    description: readFileSync(new URL('introduction.md', import.meta.url), 'utf8'),
    operations: groups.flatMap(({ operations }) => operations),
    groups: groups.map(({ name, operations }) => ({
      name,
      families: [...new Set(operations.map(({ family }) => family))],
    })),
    events: deliverableEvents,
    deliveryHeaders: DELIVERY_HEADERS,
    bearer: 'An API key: `wm_live_` and 40 more characters. Send it as `Authorization: Bearer <API_KEY>`.',
    oauth: {
      description:
        'An application acts for a person with an access token: `wmo_live_` and 40 more characters, sent as `Authorization: Bearer <ACCESS_TOKEN>`. It registers by itself (RFC 7591) and uses PKCE with `S256`. `<area>.manage` includes `<area>.view`.',
      authorizationUrl: ENDPOINTS.authorization,
      tokenUrl: ENDPOINTS.token,
      scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_MEANINGS[scope]])),
    },
    session: {
      cookie: sessionCookie('https:').name,
      description:
        'The session of a person who is signed in. Browsers send it with requests of our own pages; other sites get 403. Its name has no `__Host-` where Waymark is used without HTTPS.',
    },
    errors: familyErrors,
  })
}
