import { ERRORS, type ErrorTable } from '../../errors/index.ts'
import { exampleOf } from './examples.ts'
import { isSame, type Json, type Ref } from './json.ts'

type Kind = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers'

/** The shared parts of the document. A part is added when something first refers to it, so none is unused. */
export class Components {
  readonly errors: ErrorTable

  readonly #parts: Record<Kind, Map<string, Json>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    examples: new Map(),
    headers: new Map(),
  }

  constructor(errors: ErrorTable = ERRORS) {
    this.errors = errors
  }

  /** Returns a reference to a shared part; `make` is called for the first reference. */
  ref(kind: Kind, name: string, make: () => Json): Ref {
    const parts = this.#parts[kind]
    if (!parts.has(name)) parts.set(name, make())
    return { $ref: `#/components/${kind}/${name}` }
  }

  schema(name: string): Json | undefined {
    return this.#parts.schemas.get(name)
  }

  addSchema(name: string, schema: Json): Ref {
    const known = this.schema(name)
    if (known !== undefined && !isSame(known, schema)) throw new Error(`two different schemas have the id ${name}`)
    return this.ref('schemas', name, () => schema)
  }

  exampleOf(schema: Json): unknown {
    return exampleOf(schema, (name) => this.schema(name))
  }

  /** Sorted by name, so that the order of operations does not change the document. */
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
