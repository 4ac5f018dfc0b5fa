import type { Json } from './json.ts'

type Find = (name: string) => Json | undefined

const SHARED = /^#\/components\/schemas\/(.+)$/

/** Builds a value that matches the schema from the examples of its fields. */
export function exampleOf(schema: Json, find: Find, ancestors: readonly string[] = []): unknown {
  const name = typeof schema.$ref === 'string' ? SHARED.exec(schema.$ref)?.[1] : undefined
  if (name !== undefined) {
    const shared = find(name)
    // Stops at the first repetition of a recursive schema.
    return shared === undefined || ancestors.includes(name) ? undefined : exampleOf(shared, find, [...ancestors, name])
  }
  const [given] = (schema.examples ?? schema.enum ?? []) as unknown[]
  if (given !== undefined) return given
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if ([schema.type].flat().includes('null')) return null
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as Json[]
  if (choice !== undefined) return exampleOf(choice, find, ancestors)
  return byType(schema, find, ancestors)
}

function byType(schema: Json, find: Find, ancestors: readonly string[]): unknown {
  const [type] = [schema.type].flat()
  switch (type) {
    case 'object':
      return objectExample(schema, find, ancestors)
    case 'array': {
      const item = exampleOf((schema.items ?? {}) as Json, find, ancestors)
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

function objectExample(schema: Json, find: Find, ancestors: readonly string[]): Json {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const shown = fields.map(([name, field]) => [name, exampleOf(field, find, ancestors)] as const)
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined))
}
