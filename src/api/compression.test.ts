/** What the rule about compression relies on (`platform/http/compression.ts`). */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { familyOperations } from './openapi.ts'

const compressible = familyOperations().filter(
  ({ declared }) => declared.method === 'GET' && declared.hasOutsideText === undefined,
)

test.each(compressible.map((operation) => [operation.id, operation.declared] as const))(
  '%s returns no secret and no text of outsiders',
  (_id, { ok, offset, cursor }) => {
    const schemas = [ok, offset, cursor].filter((schema) => schema !== undefined)
    const names = schemas.flatMap((schema) =>
      propertiesOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    )
    expect(names.filter((name) => /secret|password|token|authorization/.test(name))).toEqual([])
    // These are about scans, receivers of webhooks, and events about either.
    expect(names.filter((name) => ['user_agent', 'referrer', 'response_body', 'payload'].includes(name))).toEqual([])
  },
)

/** The names of all properties, also of nested objects. Without booleans: they cannot be a secret. */
function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties =
    'properties' in schema ? Object.entries(schema.properties as Record<string, { type?: string }>) : []
  const own = properties.filter(([, { type }]) => type !== 'boolean').map(([name]) => name)
  return [...own, ...Object.values(schema).flatMap(propertiesOf)]
}
