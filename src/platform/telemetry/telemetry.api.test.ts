/** What operators see of the service: logs and metrics. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../main/service.ts'
import { createKey } from '../../modules/account/api-keys/index.ts'
import { addMember } from '../../modules/account/members/index.ts'
import { createOrganisation } from '../../modules/account/organisations/index.ts'
import { startSession } from '../../modules/account/sessions/index.ts'
import { createUser } from '../../modules/account/users/index.ts'
import { Client } from '../../testing/client.ts'
import { createDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import { eventually } from '../../testing/eventually.ts'
import { testConfig } from '../../testing/harness.ts'
import { timestamp } from '../clock/index.ts'
import { createLogger } from './logging.ts'

let database: TestDatabase
let service: Service
let acme: Client
let apiKey: string
const lines: string[] = []

beforeAll(async () => {
  database = await createDatabase()
  const log = createLogger('trace', { write: (line: string) => void lines.push(line) })
  service = await startService({ ...testConfig(database), metricsPort: 0 }, 'all', log)
  const now = timestamp(Date.now())
  const { id } = await service.database.write((tx) => createOrganisation(tx, { name: 'Acme', slug: 'acme' }, now))
  apiKey = (await service.database.write((tx) => createKey(tx, id, { name: 'Key' }, now))).api_key
  acme = new Client(`http://127.0.0.1:${service.port}`, apiKey)
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

test('logs every request once, with what it takes to find its cause and without secrets', async () => {
  lines.length = 0
  const idempotencyKey = 'a-key-of-the-callers-own'
  const created = await acme.post('/v1/article-tags', { name: 'Logged' }, { 'idempotency-key': idempotencyKey })
  await acme.get('/v1/nonsense')
  await acme.get('/v1/me', { authorization: `Bearer ${apiKey}x` })
  const entries = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  expect(entries.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
    'article-tags.create 201',
    'none 404',
    'me.get 401',
  ])
  expect(entries[0]).toMatchObject({ level: 'info', request_id: created.headers.get('x-request-id') })
  const { org, api_key } = (await acme.get('/v1/me')).body
  expect(entries[0]).toMatchObject({ org_id: org.id, credential_id: api_key.id })
  expect(entries.map(({ error }) => error)).toEqual([undefined, 'not_found', 'invalid_api_key'])
  for (const { ms } of entries) expect(ms).toBeGreaterThan(0)
  for (const secret of [apiKey, apiKey.slice(8), idempotencyKey, '127.0.0.1']) {
    expect(lines.join('')).not.toContain(secret)
  }
})

test('logs the error code of a stored response that is replayed', async () => {
  const create = () => acme.post('/v1/article-tags', { name: 'Taken' }, { 'idempotency-key': 'replayed' })
  await acme.post('/v1/article-tags', { name: 'Taken' })
  lines.length = 0
  expect((await create()).text).toBe((await create()).text)
  const entries = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  expect(entries.map(({ status, error }) => [status, error])).toEqual([
    [409, 'conflict'],
    [409, 'conflict'],
  ])
})

test('logs whose content a visitor or a person who is signed in asked for, and why in vain', async () => {
  const origin = { address: '127.0.0.1', device: 'Firefox, Linux' }
  const now = timestamp(Date.now())
  const orgId = (await acme.get('/v1/me')).body.org.id
  const { token } = await service.database.write(async (tx) => {
    const person = { email: 'owner@acme.example', first_name: null, last_name: null, passwordHash: null }
    const { id } = await createUser(tx, person, now)
    await addMember(tx, orgId, id, 'owner', now)
    return startSession(tx, id, orgId, origin, now)
  })
  const base = (await acme.post('/v1/knowledge-bases', { name: 'Care', is_published: true })).body
  lines.length = 0
  const visitor = new Client(`http://127.0.0.1:${service.port}`, undefined)
  const person = new Client(`http://127.0.0.1:${service.port}`, undefined, { cookie: `waymark_session=${token}` })
  await visitor.get(`/kb/${base.public_slug}`)
  await visitor.get('/kb/nonsense')
  await visitor.get('/p/nonsense')
  await visitor.get('/c/nonsense')
  await person.get('/account')
  await person.get('/v1/me')
  await visitor.post('/oauth/token', undefined)
  const entries = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  const session = entries.find(({ operation }) => operation === 'me.get')?.credential_id
  expect(session).toMatch(/^[0-9a-f-]{36}$/)
  expect(
    entries.map(({ operation, status, error, org_id, credential_id }) => [
      operation,
      status,
      error,
      org_id,
      credential_id,
    ]),
  ).toEqual([
    ['help_centre.home', 200, undefined, orgId, undefined],
    ['help_centre.unknown', 404, 'unknown', undefined, undefined],
    ['page.unknown', 404, 'unknown', undefined, undefined],
    ['chat.page', 404, 'unknown', undefined, undefined],
    ['account.profile', 200, undefined, orgId, session],
    ['me.get', 200, undefined, orgId, session],
    ['oauth.token', 400, 'invalid_request', undefined, undefined],
  ])
  expect(lines.join('')).not.toContain(token)
})

test('redacts secrets at any depth of an entry', () => {
  const written: string[] = []
  const log = createLogger('info', { write: (line: string) => void written.push(line) })
  const secret = 'wm_live_verysecret'
  log.info({ api_key: secret, request: { headers: { authorization: secret } }, user: { password: secret } }, 'hello')
  log.error({ err: Object.assign(new Error('failed'), { token: secret }) }, 'failed')
  expect(written.join('')).not.toContain(secret)
  expect(written.join('')).toContain('hello')
})

test('logs the cause of an internal error and leaves it out of the response', async () => {
  lines.length = 0
  await service.database.kysely.schema.alterTable('article_tags').renameTo('moved').execute()
  const { status, body } = await acme.get('/v1/article-tags?search=x')
  await service.database.kysely.schema.alterTable('moved').renameTo('article_tags').execute()
  expect({ status, error: body.error }).toEqual({ status: 500, error: 'internal_error' })
  expect(JSON.stringify(body)).not.toMatch(/article_tags|sql|relation|table/i)
  const entry = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'error')
  expect(entry).toMatchObject({ request_id: body.request_id, operation: 'article-tags.list' })
  expect(entry.err.message).toMatch(/article_tags/)
})

test('metrics show what waits: webhooks, scans, articles, and connections to the database', async () => {
  const metrics = new Client(`http://127.0.0.1:${service.metricsPort}`, undefined)
  const endpoint = { url: 'https://acme.com/hooks', events: ['qr_group.created'], isActive: false }
  await acme.post('/v1/webhooks', endpoint)
  await acme.post('/v1/qr-groups', { name: 'Spring' })
  const shown = await eventually(async () => {
    const { text } = await metrics.get('/metrics')
    return text.includes('waymark_webhook_deliveries_waiting{state="held"} 1') && text
  })
  const lines = new Map(shown.split('\n').map((line) => line.split(' ') as [string, string]))
  const valuesOf = (names: string[]) => names.map((name) => [name, lines.get(`waymark_${name}`)])
  const atRest = [
    ...['new', 'retry', 'not_created'].map((state) => `webhook_deliveries_waiting{state="${state}"}`),
    ...['webhook_oldest_seconds', 'articles_waiting'],
    ...['scans', 'views'].flatMap((records) =>
      ['records_waiting', 'journal_bytes', 'journal_age_seconds'].map((name) => `${name}{records="${records}"}`),
    ),
  ]
  expect(valuesOf(atRest)).toEqual(atRest.map((name) => [name, '0']))
  const pools = database.engine === 'postgres' ? ['requests', 'long_reads'] : []
  const limits = pools.map((pool) => `database_connections_limit{pool="${pool}"}`)
  expect(valuesOf(limits)).toEqual(limits.map((name, n) => [name, ['10', '5'][n]]))
  for (const pool of pools) {
    expect(Number(lines.get(`waymark_database_connections_in_use{pool="${pool}"}`))).toBeLessThanOrEqual(10)
    expect(lines.get(`waymark_database_connections_waiting{pool="${pool}"}`)).toBe('0')
  }
  expect(shown).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
})

test('metrics count requests by operation and status, on a separate port', async () => {
  await acme.get('/v1/me')
  const metrics = new Client(`http://127.0.0.1:${service.metricsPort}`, undefined)
  const { status, text, headers } = await metrics.get('/metrics')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^text\/plain/)
  expect(text).toMatch(/waymark_http_request_seconds_count\{operation="me.get",status="200"\} \d/)
  const [, seconds] = /waymark_http_request_seconds_sum\{operation="me.get",status="200"\} (\S+)/.exec(text) ?? []
  expect(Number(seconds)).toBeGreaterThan(0)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect((await metrics.get('/readyz')).status).toBe(200)
  expect((await metrics.get('/v1/me')).status).toBe(404)
  expect((await acme.get('/metrics')).status).toBe(404)
})
