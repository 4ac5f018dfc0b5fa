import { articleTagRoutes } from '../modules/article-tags/index.ts'
import { customDomainEvents, customDomainRoutes, type DomainSettings } from '../modules/custom-domains/index.ts'
import { eventRoutes } from '../modules/events/index.ts'
import { meRoutes } from '../modules/me/index.ts'
import { objectEvents, objectRoutes } from '../modules/objects/index.ts'
import { type ProductSettings, productEvents, productRoutes } from '../modules/products/index.ts'
import { detachCodes, qrCodeEvents, qrCodeRoutes } from '../modules/qr-codes/index.ts'
import { qrGroupEvents, qrGroupRoutes } from '../modules/qr-groups/index.ts'
import type { CodeSettings } from '../modules/scan-targets/index.ts'
import { scanEvents, scanRoutes } from '../modules/scans/index.ts'
import type { Route } from '../platform/http/routes.ts'
import type { EventCatalogue } from '../platform/outbox.ts'

/** What families need to know of the installation. */
export interface FamilySettings {
  domains: DomainSettings
  codes: CodeSettings
  products: ProductSettings
}

/** Every family of the API. A new one is a folder in modules/ and a line here. */
export const familyRoutes = ({ domains, codes, products }: FamilySettings): Route[] => [
  ...meRoutes,
  ...articleTagRoutes,
  ...customDomainRoutes(domains),
  ...qrGroupRoutes(detachCodes),
  ...qrCodeRoutes(codes),
  ...objectRoutes(codes),
  ...productRoutes(products),
  ...scanRoutes,
  ...eventRoutes,
]

/** Everything that can happen, over all families. */
export const eventCatalogue: EventCatalogue = {
  ...qrCodeEvents,
  ...qrGroupEvents,
  ...objectEvents,
  ...productEvents,
  ...scanEvents,
  ...customDomainEvents,
}
