import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { OperatorError } from '../platform/errors/operator-error.ts'
import { readConfig, Settings } from './config.ts'
import { descriptions } from './setting-formats.ts'

const folder = mkdtempSync(join(tmpdir(), 'waymark-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (environment: Record<string, string>) => readConfig(environment, join(folder, 'none'))

function readFile(text: string, environment: Record<string, string> = {}) {
  const file = join(folder, '.env')
  writeFileSync(file, text)
  return readConfig(environment, file)
}

test('every setting has a default', () => {
  expect(read({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    database: { file: expect.stringMatching(/data.waymark\.db$/) },
    databaseConnections: 10,
    appUrl: 'http://localhost:8080',
    publicUrl: 'http://localhost:8080',
    trustProxy: false,
    drainMs: 0,
    connections: { connectionsMax: 2000, connectionsPerAddress: 256 },
    caps: { perMinute: 600, perHour: 20_000 },
    formsPerMinute: 600,
    questions: { perDay: 1000, perAddress: 200 },
    credits: { isMetered: false, starting: 1000, low: 100 },
    storageBytesMax: 5_368_709_120,
    s3: undefined,
    secretKey: undefined,
    oldSecretKey: undefined,
    mail: undefined,
    llm: undefined,
    logLevel: 'info',
    renderThreads: 2,
    metricsPort: undefined,
  })
})

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_CONNECTIONS', '1'],
  ['APP_URL', 'localhost:8080'],
  ['PUBLIC_URL', 'ftp://acme.com'],
  ['TRUST_PROXY', 'sometimes'],
  ['TRUST_PROXY', '10.0.0.0/8/8'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['DRAIN_SECONDS', '61'],
  ['DNS_SERVERS', '127.0.0.1'],
  ['WEBHOOK_DEV_ALLOW', 'http://localhost:3000'],
  ['WEBHOOK_PORTS', '443,https'],
  ['WEBHOOK_PRIVATE_HOSTS', 'hooks.acme.internal'],
  ['WEBHOOK_PRIVATE_HOSTS', 'hooks.acme.internal=10.1.2.3,localhost=10.1.2.4'],
  ['WEBHOOK_PRIVATE_HOSTS', 'hooks.acme.internal=127.0.0.1'],
  ['WEBHOOK_PRIVATE_HOSTS', 'hooks.acme.internal=169.254.0.0/16'],
  ['COUNTRY_HEADER', 'a b'],
  ['CONNECTIONS_MAX', '0'],
  ['CONNECTIONS_PER_ADDRESS', 'many'],
  ['RATE_LIMIT_PER_MINUTE', '0'],
  ['RATE_LIMIT_PER_HOUR', '-5'],
  ['QUESTIONS_PER_DAY', 'all'],
  ['QUESTIONS_PER_ADDRESS', '-1'],
  ['CREDITS', 'some'],
  ['STARTING_CREDITS', '-1'],
  ['LOW_CREDITS', '1e3'],
  ['STORAGE_PER_ORGANISATION', '5GB'],
  ['S3_ENDPOINT', 's3.acme.example'],
  ['S3_BUCKET', 'Acme files'],
  ['S3_REGION', 'eu central'],
  ['SECRET_KEY', 'short'],
  ['SECRET_KEY_OLD', 'short'],
  ['SMTP_URL', 'https://mail.acme.example'],
  ['SMTP_URL', 'mail.acme.example:587'],
  ['MAIL_FROM', 'Acme'],
  ['MAIL_FROM', 'Acme <no-reply@acme.example>\nBcc: x@acme.example'],
  ['LLM_BASE_URL', 'llm.acme.example'],
  ['LLM_BASE_URL', 'https://user:hidden@llm.acme.example/v1'],
  ['LLM_BASE_URL', 'https://llm.acme.example/v1?key=hidden'],
  ['LLM_API_KEY', 'two words'],
  ['LLM_API_KEY', 'key\nx: y'],
  ['LLM_MODELS', 'large'],
  ['LLM_MODELS', 'large:0'],
  ['LLM_MODELS', 'large:2,large:3'],
  ['LLM_MODELS', 'embedded:1'],
  ['LLM_MODELS', ','],
  ['LLM_EMBEDDINGS_MODEL', 'two words'],
  ['LLM_TIMEOUT_SECONDS', '0'],
  ['LLM_TIMEOUT_SECONDS', '601'],
  ['DOMAIN_A', '192.0.2.1,nonsense'],
  ['DOMAIN_AAAA', '192.0.2.1'],
  ['RENDER_THREADS', '0'],
  ['AUDIT_LOG_DAYS', '0'],
  ['LOG_LEVEL', 'loud'],
  ['METRICS_PORT', 'x'],
])('refuses %s=%s and names the setting', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(OperatorError)
  expect(() => read({ [name]: value })).toThrow(name)
})

test.each(Object.entries(Settings.shape))('%s is described, with an example that is valid', (_name, schema) => {
  const { meaning, example } = descriptions.get(schema) ?? { meaning: '', example: '' }
  expect(meaning).toMatch(/^[A-Z].*\.$/s)
  expect(schema.safeParse(example).error).toBeUndefined()
})

test('hosts of the private network are listed with their addresses, and a wrong one is explained', () => {
  const settings = (value: string) => read({ WEBHOOK_PRIVATE_HOSTS: value })
  expect(settings('').webhookPrivateHosts).toEqual([])
  expect(settings('hooks.acme.internal=10.1.2.3, erp.acme.com=10.0.0.0/8').webhookPrivateHosts).toEqual([
    { name: 'hooks.acme.internal', ranges: ['10.1.2.3'] },
    { name: 'erp.acme.com', ranges: ['10.0.0.0/8'] },
  ])
  expect(() => settings('hooks.acme.internal=169.254.169.254')).toThrow(
    'WEBHOOK_PRIVATE_HOSTS is a list such as hooks.acme.internal=10.1.2.3, but 169.254.169.254 is not allowed, because it is not in 10.0.0.0/8,',
  )
})

test('answers cost credits if that is set, or if only the starting credits are', () => {
  const credits = (environment: Record<string, string>) => read(environment).credits
  expect(credits({ STARTING_CREDITS: '500' })).toEqual({ isMetered: true, starting: 500, low: 100 })
  expect(credits({ STARTING_CREDITS: '0' })).toEqual({ isMetered: true, starting: 0, low: 100 })
  expect(credits({ CREDITS: 'metered' })).toEqual({ isMetered: true, starting: 1000, low: 100 })
  expect(credits({ CREDITS: 'unlimited', STARTING_CREDITS: '500' })).toMatchObject({ isMetered: false, starting: 500 })
})

test('mail needs a server and a sender', () => {
  const smtpUrl = 'smtps://user:p%40ss@mail.acme.example:465'
  for (const from of ['no-reply@acme.example', 'Acme & Söhne <no-reply@acme.example>']) {
    expect(read({ SMTP_URL: smtpUrl, MAIL_FROM: from }).mail).toEqual({ smtpUrl, from })
  }
  expect(() => read({ SMTP_URL: smtpUrl })).toThrow('MAIL_FROM is missing')
  expect(() => read({ MAIL_FROM: 'no-reply@acme.example' })).toThrow('SMTP_URL is missing')
  expect(() => read({ SMTP_URL: smtpUrl })).not.toThrow(/p%40ss/)
})

test('a language model needs an address and names', () => {
  const LLM = { LLM_BASE_URL: 'http://localhost:11434/v1/', LLM_MODELS: 'llama3:8b:2, large:10' }
  expect(read(LLM).llm).toEqual({
    baseUrl: 'http://localhost:11434/v1',
    apiKey: undefined,
    models: [
      { name: 'llama3:8b', credits: 2 },
      { name: 'large', credits: 10 },
    ],
    embeddingsModel: undefined,
    answerMsMax: 60_000,
    silenceMsMax: 15_000,
  })
  const more = { LLM_API_KEY: 'key', LLM_EMBEDDINGS_MODEL: 'vectors', LLM_TIMEOUT_SECONDS: '10' }
  expect(read({ ...LLM, ...more }).llm).toMatchObject({
    ...{ apiKey: 'key', embeddingsModel: 'vectors', answerMsMax: 10_000, silenceMsMax: 10_000 },
  })
  expect(() => read({ LLM_BASE_URL: LLM.LLM_BASE_URL })).toThrow('LLM_MODELS is missing')
  for (const [name, value] of Object.entries({ ...more, LLM_MODELS: 'hidden:1', LLM_API_KEY: 'hidden' })) {
    if (name === 'LLM_TIMEOUT_SECONDS') continue
    expect(() => read({ [name]: value })).toThrow(
      `LLM_BASE_URL is missing. To use a language model, set it together with ${name}`,
    )
    expect(() => read({ [name]: value })).not.toThrow(/hidden/)
  }
})

test('reports several invalid settings at once', () => {
  expect(() => read({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT.*LOG_LEVEL/)
})

test('treats an empty value as not set', () => {
  expect(read({ PORT: '', DATABASE_URL: '' }).port).toBe(8080)
})

test('reads settings that the environment lacks from .env, and refuses unknown names in it', () => {
  expect(readFile('PORT=9000\nLOG_LEVEL=warn\n', { PORT: '9001' })).toMatchObject({ port: 9001, logLevel: 'warn' })
  expect(() => readFile('PROT=9000\n')).toThrow(/unknown setting PROT/)
})

test('derives URLs that a browser can open', () => {
  expect(read({ HOST: '0.0.0.0', PORT: '81' }).appUrl).toBe('http://localhost:81')
  expect(read({ HOST: '2001:db8::1' }).appUrl).toBe('http://[2001:db8::1]:8080')
  expect(read({ APP_URL: 'https://app.acme.com/' })).toMatchObject({
    appUrl: 'https://app.acme.com',
    publicUrl: 'https://app.acme.com',
  })
})

describe('a bucket', () => {
  const S3 = {
    S3_ENDPOINT: 'https://s3.acme.example/',
    S3_BUCKET: 'acme-files',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  }

  test('is used if all its settings are there', () => {
    expect(read(S3).s3).toEqual({
      endpoint: 'https://s3.acme.example',
      bucket: 'acme-files',
      region: 'eu-central-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    })
  })

  test.each(Object.keys(S3))('is refused without %s, and the message names it and no value', (name) => {
    expect(() => read({ ...S3, [name]: '' })).toThrow(OperatorError)
    expect(() => read({ ...S3, [name]: '' })).toThrow(new RegExp(`^${name} is missing`))
    expect(() => read({ S3_SECRET_ACCESS_KEY: 'hidden' })).not.toThrow(/hidden/)
  })
})
