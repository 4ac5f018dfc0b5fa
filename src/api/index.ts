import type { Services } from '../platform/http/exchange.ts'
import { mount, type Server } from '../platform/http/server.ts'
import { mountDocs } from './docs.ts'
import { type FamilySettings, familyRoutes } from './families.ts'

export type { FamilySettings } from './families.ts'

/** Puts /v1 on a server, and its documentation. */
export function mountApi(server: Server, services: Services, settings: FamilySettings): void {
  mount(server, '/v1', familyRoutes(settings), services)
  mountDocs(server)
}
