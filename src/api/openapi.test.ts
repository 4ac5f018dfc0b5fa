import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AREAS, SCOPES } from '../modules/account/scopes/index.ts'
import { field } from '../platform/contract/index.ts'
import { buildDocument } from '../platform/contract/openapi/index.ts'
import { operations } from '../platform/contract/operation.ts'
import { errorTable } from '../platform/errors/index.ts'
import { deliverableEvents, familyErrors } from './families.ts'
import { familyOperations, openApiDocument } from './openapi.ts'

type Node = Record<string, any>

const document: Node = openApiDocument()
const documentedOperations: Node[] = Object.values<Node>(document.paths).flatMap((item) => Object.values<Node>(item))
const documentedEvents: Node[] = Object.values<Node>(document.webhooks ?? {}).map((item) => item.post)

/** Yields every nested object with its JSON pointer. */
function* nodesOf(value: unknown, path = '#'): Generator<[string, Node]> {
  if (typeof value !== 'object' || value === null) return
  yield [path, value as Node]
  for (const [key, inner] of Object.entries(value)) yield* nodesOf(inner, `${path}/${key.replaceAll('/', '~1')}`)
}

function resolve(ref: string): Node {
  const keys = ref.split('/').slice(1)
  return keys.reduce<any>((node, key) => node?.[key.replaceAll('~1', '/')], document)
}

/** Yields a schema and its nested schemas. Follows references. */
function* schemasOf(schema: Node, path: string, seen = new Set<Node>()): Generator<[string, Node]> {
  const resolved = schema.$ref ? resolve(schema.$ref) : schema
  if (seen.has(resolved)) return
  seen.add(resolved)
  yield [schema.$ref ?? path, resolved]
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = resolved
  for (const [name, inner] of Object.entries<Node>(properties)) yield* schemasOf(inner, `${path}.${name}`, seen)
  for (const inner of [items, additionalProperties, ...anyOf, ...oneOf, ...allOf]) {
    if (typeof inner === 'object') yield* schemasOf(inner, path, seen)
  }
}

const bodySchemas = (content: Node): [string, Node][] => [
  ...schemasOf(content['application/json']?.schema ?? {}, 'body'),
]
const isObject = ([, { type, properties }]: [string, Node]): boolean => type === 'object' || properties !== undefined

describe('the OpenAPI document', () => {
  test('passes a strict linter', async () => {
    // The paths below /products are not ambiguous: an id is a UUID, so it is never `by-gtin`.
    const rules = { 'no-ambiguous-paths': 'off' } as const
    const config = await createConfig({ extends: ['recommended-strict'], rules, telemetry: 'off' })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual([])
  })

  test('describes every operation at its path under /v1', () => {
    expect(document.servers).toEqual([{ url: '/v1' }])
    for (const { declared, successStatus } of familyOperations()) {
      const operation = document.paths[declared.path]?.[declared.method.toLowerCase()]
      expect(operation, `${declared.method} ${declared.path}`).toMatchObject({ summary: declared.summary })
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining([String(successStatus), '400', '401', '403', '429', '500', '503']),
      )
    }
    expect(documentedOperations).toHaveLength(familyOperations().length)
  })

  test('describes every event, with an example that matches its schema', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual(Object.keys(deliverableEvents))
    for (const { summary, requestBody } of documentedEvents) {
      const { example } = requestBody.content['application/json']
      expect(deliverableEvents[summary]?.payload.safeParse(example).error, summary).toBeUndefined()
    }
  })

  test('lists every error code, and the errors that each operation declares', () => {
    const errors = errorTable(familyErrors)
    expect(document.components.schemas.ErrorCode.enum).toEqual(Object.keys(errors))
    for (const { declared } of familyOperations()) {
      const { responses } = document.paths[declared.path][declared.method.toLowerCase()]
      for (const error of declared.errors ?? []) {
        const code = typeof error === 'string' ? error : error.code
        const { content } = resolve(responses[errors[code]?.status as number].$ref)
        expect(content['application/json'].schema.allOf[1].properties.error.enum).toContain(code)
      }
    }
  })

  test('requires only scopes of known areas', () => {
    for (const { family } of familyOperations())
      expect([...AREAS, 'ownership', null], family.name).toContain(family.area)
  })

  test('accepts a key, a token with the scope or a session, and only a session where nothing else may be used', () => {
    expect(document.security).toEqual([{ bearer: [] }, { oauth2: [] }, { session: [] }])
    const { oauth2 } = document.components.securitySchemes
    expect(oauth2).toMatchObject({
      type: 'oauth2',
      flows: { authorizationCode: { authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token' } },
    })
    const { scopes } = oauth2.flows.authorizationCode
    expect(Object.keys(scopes)).toEqual(SCOPES)
    expect(document.components.securitySchemes.session).toMatchObject({
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-waymark_session',
    })
    for (const { declared, scope, onlyInSession } of familyOperations()) {
      const { security } = document.paths[declared.path][declared.method.toLowerCase()]
      const byToken = scope !== null && scope in scopes ? [{ oauth2: [scope] }] : []
      const byAny = scope === null ? undefined : [{ bearer: [] }, ...byToken, { session: [] }]
      expect(security, declared.path).toEqual(onlyInSession ? [{ session: [] }] : byAny)
    }
  })

  test('gives every operation and event a unique operation id', () => {
    const ids = [...documentedOperations, ...documentedEvents].map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(['getMe', 'listArticleTags', 'createArticleTag', 'getArticleTag']))
  })

  test('has no broken references', () => {
    for (const [path, { $ref }] of nodesOf(document)) {
      if (typeof $ref === 'string') expect(resolve($ref), `${path} → ${$ref}`).toBeDefined()
    }
  })

  test('allows additional fields in responses and events', () => {
    for (const [path, node] of nodesOf([
      document.components.responses,
      documentedOperations.map(({ responses }) => responses),
    ])) {
      if (!node.content) continue
      for (const [name, schema] of bodySchemas(node.content)) {
        expect(schema.additionalProperties, `${path} ${name}`).not.toBe(false)
      }
    }
    for (const { summary, requestBody } of documentedEvents) {
      for (const [name, schema] of bodySchemas(requestBody.content)) {
        expect(schema.additionalProperties, `${summary} ${name}`).not.toBe(false)
      }
    }
  })

  test('forbids unknown fields in every request body', () => {
    for (const { operationId, requestBody } of documentedOperations) {
      if (requestBody === undefined) continue
      for (const [name, { additionalProperties, properties }] of bodySchemas(requestBody.content).filter(isObject)) {
        // Free-form objects are the exception: they declare no fields.
        if (properties !== undefined) expect(additionalProperties, `${operationId} ${name}`).toBe(false)
      }
    }
  })

  test('has an example for every string without an enum, constant or format', () => {
    for (const [name, schema] of Object.entries<Node>(document.components.schemas)) {
      for (const [field, { type, examples, enum: values, const: value, format }] of schemasOf(schema, name)) {
        if (type !== 'string' || values || value !== undefined || format) continue
        expect(examples, `${field} needs .meta({ examples: [...] })`).toBeDefined()
      }
    }
  })

  test('explains every value of every enum', () => {
    for (const [path, node] of nodesOf(document)) {
      if (!Array.isArray(node.enum) || node.type !== 'string') continue
      const meanings = Object.entries<string>(node['x-enumDescriptions'] ?? {})
      expect(meanings.map(([value]) => value).sort(), `${path} needs choice() or explained()`).toEqual(
        [...node.enum].sort(),
      )
      for (const [value, meaning] of meanings) expect(meaning, `${path} ${value}`).toMatch(/^\S.*\S$/s)
    }
  })

  test('has every family in one group, in the order of its groups', () => {
    const grouped = document['x-tagGroups'].flatMap(({ tags }: Node) => tags)
    expect(grouped).toEqual(document.tags.map(({ name }: Node) => name))
    expect(new Set(grouped)).toEqual(new Set(familyOperations().map(({ family }) => family.name)))
    expect(grouped).toHaveLength(new Set(grouped).size)
  })

  test('offers an Idempotency-Key on every POST and nowhere else', () => {
    for (const [path, item] of Object.entries<Node>(document.paths)) {
      for (const [method, { parameters = [] }] of Object.entries<Node>(item)) {
        const refs = parameters.map(({ $ref }: Node) => $ref)
        expect(refs.includes('#/components/parameters/IdempotencyKey'), `${method} ${path}`).toBe(method === 'post')
      }
    }
  })

  test('describes numeric query parameters as numbers', () => {
    const [, pageSize] = document.paths['/article-tags'].get.parameters
    expect(pageSize).toMatchObject({
      name: 'page_size',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    })
  })
})

describe('a family with schemas of every kind', () => {
  const Shelf = z.strictObject({ city: z.string() }).meta({ id: 'Shelf' })
  const Place = z.object({ id: field.id.nullable(), left_at: field.timestamp.nullable() })
  const Thing = z
    .object({ from: Place.nullable(), to: Place.nullable(), shelf: Shelf, state: z.enum(['new', 'old']).nullable() })
    .meta({ id: 'Thing' })
  const put = operations(
    { name: 'things', title: 'Things', about: '', area: null },
    {
      replace: {
        method: 'PUT',
        path: '/things/{id}',
        summary: 'Replace a thing',
        body: z.strictObject({ shelf: Shelf }).meta({ id: 'ThingReplace' }),
        ok: Thing,
      },
    },
  )
  const { schemas }: Node = buildDocument({
    title: '',
    version: '',
    description: '',
    operations: Object.values(put),
    groups: [],
    events: {},
    deliveryHeaders: { eventType: '', others: {} },
    bearer: '',
    oauth: { description: '', authorizationUrl: '', tokenUrl: '', scopes: {} },
    session: { cookie: 'session', description: '' },
    errors: [],
  }).components

  test('describes every use of a schema the same way, and nullable values by type', () => {
    const { from, to, state } = schemas.Thing.properties
    expect(from).toEqual(to)
    expect(from).toMatchObject({ type: ['object', 'null'] })
    expect(from).not.toHaveProperty('additionalProperties')
    expect(from.properties.id).toMatchObject({ type: ['string', 'null'], format: 'uuid' })
    expect(from.properties.id).not.toHaveProperty('pattern')
    expect(from.properties.left_at).toMatchObject({ type: ['string', 'null'], description: 'ISO 8601 in UTC.' })
    expect(state).toEqual({ anyOf: [{ type: 'string', enum: ['new', 'old'] }, { type: 'null' }] })
  })

  test('describes a strict schema as strict in requests and as open in responses', () => {
    expect(schemas.Shelf).not.toHaveProperty('additionalProperties')
    expect(schemas.ShelfInput.additionalProperties).toBe(false)
    expect(schemas.ThingReplace.properties.shelf).toEqual({ $ref: '#/components/schemas/ShelfInput' })
    expect(schemas.Thing.properties.shelf).toEqual({ $ref: '#/components/schemas/Shelf' })
  })
})
