import { exampleOf } from './examples.ts'
import { isSame, type Json, type Ref } from './json.ts'

type Kind = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers'

/** What several places of the document share. Only what is referred to gets in, so that nothing stands unused. */
export class Components {
  readonly #parts: Record<Kind, Map<string, Json>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    examples: new Map(),
    headers: new Map(),
  }

  /** Refers to a shared part, which is made at the first reference. */
  ref(kind: Kind, name: string, make: () => Json): Ref {
    const parts = this.#parts[kind]
    if (!parts.has(name)) parts.set(name, make())
    return { $ref: `#/components/${kind}/${name}` }
  }

  schema(name: string): Json | undefined {
    return this.#parts.schemas.get(name)
  }

  /** Two different schemas under one name would leave one of them described wrongly. */
  addSchema(name: string, schema: Json): Ref {
    const known = this.schema(name)
    if (known !== undefined && !isSame(known, schema)) throw new Error(`two different schemas are called ${name}`)
    return this.ref('schemas', name, () => schema)
  }

  exampleOf(schema: Json): unknown {
    return exampleOf(schema, (name) => this.schema(name))
  }

  /** Alphabetical, so that the document does not change with the order of the operations. */
  toJson(): Json {
    const kinds = Object.entries(this.#parts).filter(([, parts]) => parts.size > 0)
    return Object.fromEntries(
      kinds.map(([kind, parts]) => {
        const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1))
        const shown = sorted.map(([name, part]) => [name, kind === 'schemas' ? this.#withExample(part) : part])
        return [kind, Object.fromEntries(shown)]
      }),
    )
  }

  #withExample(schema: Json): Json {
    if (schema.type !== 'object' || schema.examples !== undefined) return schema
    return { ...schema, examples: [this.exampleOf(schema)] }
  }
}
