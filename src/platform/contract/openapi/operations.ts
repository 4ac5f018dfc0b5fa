import type { z } from 'zod'
import type { Declaration, Operation } from '../operation.ts'
import { cursorList, offsetList } from '../pagination.ts'
import type { Components } from './components.ts'
import { errorResponses } from './error-responses.ts'
import { successHeaders } from './headers.ts'
import type { Json, Ref } from './json.ts'
import { operationId, singular } from './names.ts'
import { toSchema } from './schemas.ts'

export function describeOperation(
  components: Components,
  operation: Operation,
  oauthScopes: Readonly<Record<string, string>>,
): Json {
  const { family, scope, declared } = operation
  const query = queryParameters(components, operation)
  const parameters = [...pathParameters(components, operation), ...query, ...headerParameters(components, operation)]
  return {
    operationId: operationId(operation),
    tags: [family.name],
    summary: declared.summary,
    ...describe(operation),
    ...security(operation, oauthScopes),
    ...(scope !== null && { 'x-required-scope': scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(declared.body && { requestBody: requestBody(components, declared.body, declared.example?.(1)) }),
    ...(declared.upload && { requestBody: uploadBody(declared.upload) }),
    responses: {
      ...successes(components, operation),
      ...errorResponses(components, operation, query),
    },
  }
}

/** Left out where any credential will do. */
function security({ scope, onlyInSession }: Operation, oauthScopes: Readonly<Record<string, string>>): Json {
  if (onlyInSession) return { security: [{ session: [] }] }
  if (scope === null) return {}
  const oauth = Object.hasOwn(oauthScopes, scope) ? [{ oauth2: [scope] }] : []
  return { security: [{ bearer: [] }, ...oauth, { session: [] }] }
}

const ONLY_IN_SESSION = 'Only a person who is signed in may do this: API keys and applications get 403 `forbidden`.'

const RECENT_SIGN_IN =
  'In a session, the person must have signed in or confirmed who they are within the last 10 minutes. Otherwise the response is 403 `forbidden` with `details.required` set to `recent_sign_in`.'

function describe({ declared: { description, needsRecentSignIn }, onlyInSession }: Operation): Json {
  const sentences = [description, onlyInSession && ONLY_IN_SESSION, needsRecentSignIn && RECENT_SIGN_IN].filter(Boolean)
  return sentences.length === 0 ? {} : { description: sentences.join(' ') }
}

/** `/articles/{id}/versions/{version}`: a parameter belongs to the noun before it. */
function pathParameters(components: Components, { declared: { path }, params }: Operation): Json[] {
  return Object.entries(params).map(([name, schema]) => {
    const noun =
      path
        .slice(0, path.indexOf(`/{${name}}`))
        .split('/')
        .at(-1) ?? ''
    const {
      description = `The ${name.replaceAll('_', ' ')} of the ${singular(noun).replaceAll('-', ' ')}.`,
      ...shown
    } = toSchema(components, schema, 'input')
    return { name, in: 'path', required: true, description, schema: shown }
  })
}

function queryParameters(components: Components, { declared: { query } }: Operation): Json[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = toSchema(components, query, 'input')
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...((required as string[]).includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    schema,
  }))
}

/** Has no example: tools send examples unchanged, so their second request would be a replay of the first. */
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes the request safe to retry. For 24 hours, the same key with the same body returns the stored response and does nothing else. Use a new value, such as a UUID, for every new request.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const headerParameters = (components: Components, { declared: { method } }: Operation): Ref[] =>
  method === 'POST' ? [components.ref('parameters', 'IdempotencyKey', () => IDEMPOTENCY_KEY)] : []

const requestBody = (components: Components, body: z.ZodObject, example: object | undefined): Json => ({
  required: true,
  content: {
    'application/json': {
      schema: toSchema(components, body, 'input'),
      ...(example !== undefined && { example }),
    },
  },
})

const uploadBody = ({ bytesMax, mediaTypes }: NonNullable<Declaration['upload']>): Json => ({
  required: true,
  description: `The file itself, at most ${bytesMax / 1024 / 1024} MiB.`,
  content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: {} }])),
})

function successes(components: Components, operation: Operation): Json {
  const { method, ok, created, file, download } = operation.declared
  const headers = successHeaders(components, method)
  if (file !== undefined) return fileResponses(components, file, headers)
  if (download !== undefined) return downloadResponse(download, headers)
  const schema = responseSchema(components, operation)
  const content = schema && { content: { 'application/json': { schema } } }
  return {
    ...(ok &&
      created && {
        200: { description: 'It already existed and was updated. The body is the resource.', headers, ...content },
      }),
    [operation.successStatus]: { description: describeSuccess(operation), headers, ...content },
  }
}

const ETAG: Json = { description: 'Changes when the file changes.', schema: { type: 'string' } }

const downloadResponse = (mediaTypes: readonly string[], headers: Json): Json => ({
  200: {
    description: 'The file, as a download.',
    headers: {
      ...headers,
      'Content-Disposition': { description: '`attachment`, with the name of the file.', schema: { type: 'string' } },
    },
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: {} }])),
  },
})

const fileResponses = (components: Components, file: Record<string, z.ZodObject | null>, headers: Json): Json => ({
  200: {
    description: 'The file in the requested format.',
    headers: { ...headers, ETag: ETAG },
    content: Object.fromEntries(
      Object.entries(file).map(([mediaType, schema]) => [
        mediaType,
        { schema: schema === null ? {} : toSchema(components, schema, 'output') },
      ]),
    ),
  },
  304: { description: 'The file has not changed: `If-None-Match` has its current `ETag`.', headers },
})

function describeSuccess({ successStatus, declared }: Operation): string {
  if (successStatus === 201) return 'Created. The body is the new resource.'
  if (successStatus === 204) return 'Done. The response has no body.'
  return declared.offset || declared.cursor ? 'One page of the list.' : 'Done. The body is the current state.'
}

/** Returns the schema of a successful response. A list becomes a component named after its items. */
export function responseSchema(components: Components, { declared }: Operation): Json | undefined {
  const { ok, created, offset, cursor } = declared
  if (offset && cursor) {
    return { oneOf: [listSchema(components, offset, LISTS.offset), listSchema(components, cursor, LISTS.cursor)] }
  }
  if (offset) return listSchema(components, offset, LISTS.offset)
  if (cursor) return listSchema(components, cursor, LISTS.cursor)
  const resource = created ?? ok
  return resource && toSchema(components, resource, 'output')
}

/** The example of a list has one item, and the numbers match that. */
const LISTS = {
  offset: { suffix: 'List', wrap: offsetList, example: { total: 1, page: 1, page_size: 25 } },
  cursor: { suffix: 'CursorList', wrap: cursorList, example: { has_more: false, next_cursor: null } },
}

function listSchema(
  components: Components,
  item: z.ZodObject,
  { suffix, wrap, example }: (typeof LISTS)['offset' | 'cursor'],
): Json {
  const list = toSchema(components, wrap(item), 'output')
  const shown = { ...list, examples: [{ ...(components.exampleOf(list) as Json), ...example }] }
  const id = item.meta()?.id
  return id === undefined ? shown : { ...components.addSchema(id + suffix, shown) }
}
