import type { Json } from './json.ts'

/** Where a schema refers to a shared one, this finds it. */
type Find = (name: string) => Json | undefined

const SHARED = /^#\/components\/schemas\/(.+)$/

/** A value that fits the schema, put together from the examples of its fields. */
export function exampleOf(schema: Json, find: Find, within: readonly string[] = []): unknown {
  const name = typeof schema.$ref === 'string' ? SHARED.exec(schema.$ref)?.[1] : undefined
  if (name !== undefined) {
    const shared = find(name)
    // A schema that contains itself ends here, at the first repetition.
    return shared === undefined || within.includes(name) ? undefined : exampleOf(shared, find, [...within, name])
  }
  const [given] = (schema.examples ?? schema.enum ?? []) as unknown[]
  if (given !== undefined) return given
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if ([schema.type].flat().includes('null')) return null
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as Json[]
  if (choice !== undefined) return exampleOf(choice, find, within)
  return byType(schema, find, within)
}

function byType(schema: Json, find: Find, within: readonly string[]): unknown {
  const [type] = [schema.type].flat()
  switch (type) {
    case 'object':
      return objectExample(schema, find, within)
    case 'array': {
      const item = exampleOf((schema.items ?? {}) as Json, find, within)
      return item === undefined ? [] : [item]
    }
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, Number(schema.minimum ?? 1)), Number(schema.maximum ?? 1))
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return undefined
  }
}

function objectExample(schema: Json, find: Find, within: readonly string[]): Json {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const shown = fields.map(([name, field]) => [name, exampleOf(field, find, within)] as const)
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined))
}
