import { z } from 'zod'
import { documentedAs } from '../field.ts'
import { adjust, type Direction } from './adjust.ts'
import type { Components } from './components.ts'
import { isSame, type Json } from './json.ts'

const LOCAL = '#/$defs/'
const SHARED = '#/components/schemas/'

/**
 * Returns the JSON Schema of a Zod schema. Every schema with an id, at any depth, becomes a component and is replaced
 * with a reference.
 */
export function toSchema(components: Components, schema: z.ZodType, io: Direction): Json {
  const json: Json = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const shown = documentedAs.get(zodSchema)
      if (shown !== undefined) replace(jsonSchema, shown.schema)
    },
  })
  const { $schema: _, $defs = {}, ...root } = adjust(json, io)
  const named = $defs as Record<string, Json>
  const renamed = io === 'input' ? findInputNames(components, named) : new Set<string>()
  for (const [id, local] of Object.entries(named)) {
    components.addSchema(sharedName(id, renamed), share(local, renamed))
  }
  return share(root, renamed)
}

/** Replaces the schema but keeps its description and examples. */
function replace(json: Json, shown: object): void {
  const { description, examples } = json
  for (const key of Object.keys(json)) delete json[key]
  Object.assign(json, {
    ...(description !== undefined && { description }),
    ...shown,
    ...(examples !== undefined && { examples }),
  })
}

/**
 * Finds the schemas that differ between request and response, usually because requests are strict. The request schema
 * then gets the suffix `Input`, and so does every schema that contains it.
 */
function findInputNames(components: Components, named: Record<string, Json>): Set<string> {
  const renamed = new Set<string>()
  for (let before = -1; before < renamed.size; ) {
    before = renamed.size
    for (const [id, local] of Object.entries(named)) {
      const output = components.schema(id)
      if (output !== undefined && !isSame(output, share(local, renamed))) renamed.add(id)
    }
  }
  return renamed
}

const sharedName = (id: string, renamed: ReadonlySet<string>): string => (renamed.has(id) ? `${id}Input` : id)

function share<T>(value: T, renamed: ReadonlySet<string>): T {
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    key === '$ref' && typeof inner === 'string' && inner.startsWith(LOCAL)
      ? SHARED + sharedName(inner.slice(LOCAL.length), renamed)
      : inner,
  )
}
