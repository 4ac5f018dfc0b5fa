import { familyOperations } from '../api/openapi.ts'
import type { Operation } from '../platform/contract/operation.ts'
import { newId } from '../platform/ids.ts'

/** Every operation of the API. */
export const allOperations: Operation[] = familyOperations()

/** The families whose resources can be created, fetched and listed: what most promises are about. */
export interface ResourceFamily {
  name: string
  create: Operation
  get: Operation | undefined
  list: Operation | undefined
  update: Operation | undefined
  delete: Operation | undefined
}

export const resourceFamilies: ResourceFamily[] = [...Map.groupBy(allOperations, ({ family }) => family.name)].flatMap(
  ([name, operations]) => {
    const find = (verb: string) => operations.find(({ id }) => id === `${name}.${verb}`)
    const create = find('create')
    if (create === undefined) return []
    return [{ name, create, get: find('get'), list: find('list'), update: find('update'), delete: find('delete') }]
  },
)

/** The operation's address, with these values for its parameters; ids nobody has where none are given. */
export const pathTo = ({ declared }: Operation, params: Record<string, string> = {}): string =>
  `/v1${declared.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? newId()))}`

let examples = 0

/** A good body for a create operation, different each time. */
export function exampleBody({ id, declared }: Operation): Record<string, unknown> {
  if (declared.example === undefined) throw new Error(`${id} has a body; give it an example in its contract`)
  return declared.example(++examples) as Record<string, unknown>
}
