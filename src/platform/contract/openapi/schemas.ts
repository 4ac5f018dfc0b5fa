import { z } from 'zod'
import { shownAs } from '../field.ts'
import { adjust, type Direction } from './adjust.ts'
import type { Components } from './components.ts'
import { isSame, type Json } from './json.ts'

const LOCAL = '#/$defs/'
const SHARED = '#/components/schemas/'

/**
 * The JSON Schema of a Zod schema. What has an id, at any depth, becomes a component, and a reference to it
 * stands in its place.
 */
export function toSchema(components: Components, schema: z.ZodType, io: Direction): Json {
  const json: Json = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const shown = shownAs.get(zodSchema)
      if (shown !== undefined) replace(jsonSchema, shown.schema)
    },
  })
  const { $schema: _, $defs = {}, ...root } = adjust(json, io)
  const named = $defs as Record<string, Json>
  const renamed = io === 'input' ? findDiffering(components, named) : new Set<string>()
  for (const [id, local] of Object.entries(named)) {
    components.addSchema(sharedName(id, renamed), share(local, renamed))
  }
  return share(root, renamed)
}

/** What is shown in the place of the schema keeps the words that were written for it. */
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
 * A schema that is sent and also answered usually differs: what is sent is strict. Then the sent one is called
 * `...Input`, and so is whatever contains it.
 */
function findDiffering(components: Components, named: Record<string, Json>): Set<string> {
  const renamed = new Set<string>()
  for (let before = -1; before < renamed.size; ) {
    before = renamed.size
    for (const [id, local] of Object.entries(named)) {
      const answered = components.schema(id)
      if (answered !== undefined && !isSame(answered, share(local, renamed))) renamed.add(id)
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
