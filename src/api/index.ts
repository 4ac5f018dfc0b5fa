import { type Call, type Caller, type CallResult, callOperation } from '../platform/http/pipeline/call-operation.ts'
import type { Services } from '../platform/http/pipeline/exchange.ts'
import { mount, type Server } from '../platform/http/server/server.ts'
import { mountDocs } from './docs/index.ts'
import { type FamilySettings, familyGroups } from './families.ts'

export type { FamilySettings } from './families.ts'

/** Calls an operation by its id, for a page of our own. */
export type CallApi = (operation: string, caller: Caller, call: Call) => Promise<CallResult>

/** Puts /v1 on a server, and its documentation. */
export function mountApi(server: Server, services: Services, settings: FamilySettings): CallApi {
  const groups = familyGroups(settings)
  const routes = groups.flatMap((group) => group.routes)
  mount(server, '/v1', routes, services)
  mountDocs(server, { appUrl: settings.conversations.appUrl })
  const byId = new Map(routes.map((route) => [route.operation.id, route]))
  return (operation, caller, call) => {
    const route = byId.get(operation)
    if (route === undefined) throw new Error(`there is no operation ${operation}`)
    return callOperation(route, caller, call, services)
  }
}
