import type { z } from 'zod'
import { familyOperations } from '../api/openapi.ts'
import type { Operation } from '../platform/contract/operation.ts'
import { newId } from '../platform/ids/index.ts'
import type { Client } from './client.ts'
import { createKnowledgeBase } from './data/articles.ts'

/** Every operation of the API. */
export const allOperations: Operation[] = familyOperations()

/** A family whose resources can be created, and not within another resource. Most conformance tests are about these. */
export interface ResourceFamily {
  name: string
  create: Operation
  get: Operation | undefined
  list: Operation | undefined
  update: Operation | undefined
  delete: Operation | undefined
  /** All operations on one of its resources, including those above and those of other families. */
  ofOne: Operation[]
}

export const resourceFamilies: ResourceFamily[] = [...Map.groupBy(allOperations, ({ family }) => family.name)].flatMap(
  ([name, operations]) => {
    const find = (verb: string) => operations.find(({ id }) => id === `${name}.${verb}`)
    const create = find('create')
    if (create === undefined || Object.keys(create.params).length > 0) return []
    const ofOne = allOperations.filter(({ declared }) => declared.path.startsWith(`${create.declared.path}/{id}`))
    return [
      { name, create, ofOne, get: find('get'), list: find('list'), update: find('update'), delete: find('delete') },
    ]
  },
)

/** Returns the path of an operation. Parameters that are not given get a value that no resource has. */
export const pathTo = ({ declared, params: schemas }: Operation, params: Record<string, string> = {}): string =>
  `/v1${declared.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? unusedValue(schemas[name])))}`

/** Returns a new id if the schema accepts one, otherwise the schema's example. */
function unusedValue(schema: z.ZodType | undefined): string {
  const id = newId()
  if (schema?.safeParse(id).success) return id
  return String((schema?.meta()?.examples as unknown[] | undefined)?.[0])
}

let examples = 0

/** Returns a valid body, different on each call: a file, or an object whose ids refer to nothing. */
export function exampleBody({ id, declared }: Operation): Record<string, unknown> | Uint8Array {
  if (declared.upload !== undefined) return declared.upload.example(++examples)
  if (declared.example === undefined) throw new Error(`${id} takes a body but has no example in its contract`)
  return declared.example(++examples) as Record<string, unknown>
}

const ownKnowledgeBases = new WeakMap<Client, Promise<string>>()

const ownDomains = new WeakMap<Client, Promise<string>>()

async function connectDomain(client: Client): Promise<string> {
  return (await client.post('/v1/custom-domains', { domain: `${newId()}.acme.com` })).body.id
}

/** Returns the example of a body, with ids of the client's own resources. */
export async function ownBody(client: Client, operation: Operation): Promise<Record<string, unknown> | Uint8Array> {
  const body = exampleBody(operation)
  if (body instanceof Uint8Array) return body
  const own = async (field: string, ids: WeakMap<Client, Promise<string>>, create: (by: Client) => Promise<string>) => {
    if (!(field in body)) return {}
    const id = ids.get(client) ?? create(client)
    ids.set(client, id)
    return { [field]: await id }
  }
  return {
    ...body,
    ...(await own('knowledge_base_id', ownKnowledgeBases, createKnowledgeBase)),
    ...(await own('kb_id', ownKnowledgeBases, createKnowledgeBase)),
    ...(await own('domain_id', ownDomains, connectDomain)),
  }
}
