import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { SECOND_MS } from '../platform/clock/index.ts'
import type { DatabaseLocation } from '../platform/db/open.ts'
import { OperatorError } from '../platform/errors/operator-error.ts'
import type { S3Settings } from '../platform/files/s3-store.ts'
import type { LlmSettings } from '../platform/llm/index.ts'
import type { MailSettings } from '../platform/mail/index.ts'
import type { Caps } from '../platform/rate-limit/index.ts'
import type { LogLevel } from '../platform/telemetry/logging.ts'
import { readByteSize } from './byte-size.ts'

export interface Config {
  port: number
  host: string
  dataDir: string
  database: DatabaseLocation
  /** Connections to PostgreSQL for everything but long reads. */
  databaseConnections: number
  /** Base URL of the API and the dashboard. */
  appUrl: string
  /** Base URL of printed codes and public pages; may be on another host. */
  publicUrl: string
  /** True if neither APP_URL nor PUBLIC_URL is set: the service does not know its own host name. */
  acceptsAnyHost: boolean
  trustProxy: boolean | string
  /** How long requests are still served after the signal to stop, while health checks fail. */
  drainMs: number
  connections: { connectionsMax: number; connectionsPerAddress: number }
  caps: Caps
  /** How many forms a page takes in a minute. */
  formsPerMinute: number
  credits: {
    /** The balance of a new organisation. */
    starting: number
    /** Below it, owners get a mail that few are left. */
    low: number
  }
  /** Applies to organisations without their own limit. */
  storageBytesMax: number
  /** Undefined if files are stored in the data folder. */
  s3: S3Settings | undefined
  secretKey: string | undefined
  /** Undefined if the installation sends no mails. */
  mail: MailSettings | undefined
  /** Undefined if only the embedded answerer answers questions. */
  llm: LlmSettings | undefined
  /** DNS targets for customers' domains. */
  domainTargets: { a: string[]; aaaa: string[]; cname: string | undefined }
  /** Applies to requests to URLs that customers entered. */
  outbound: { ports: number[]; devAllow: string[]; dnsServers: string[] }
  /** Sources of a visitor's rough location: a proxy's header or a GeoIP file. */
  location: { countryHeader: string | undefined; geoipFile: string | undefined }
  /** Threads that render Markdown. */
  renderThreads: number
  /** How long the audit log is kept. */
  auditLogDays: number
  logLevel: LogLevel
  metricsPort: number | undefined
}

const NOT_A_PORT = 'must be a port number from 0 to 65535'
const port = z.string().regex(/^\d+$/, NOT_A_PORT).transform(Number).pipe(z.number().max(65535, NOT_A_PORT))
const cap = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number of at least 1')
  .transform(Number)
const count = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number from 0 to 999999999999')
  .transform(Number)
const byteSize = z.string().transform((value, context) => {
  const bytes = readByteSize(value)
  if (bytes === undefined) context.addIssue('must be a size such as 5GiB, 500MiB or 1000000')
  return bytes ?? z.NEVER
})
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .transform((value) => value.replace(/\/+$/, ''))
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

const hostAndPort = (error: string) => z.string().regex(/^(\[[0-9a-f:]+\]|[^\s:/]+):\d{1,5}$/i, error)

/** Accepts a comma-separated list of addresses and ranges (`10.0.0.0/8`). */
function isProxyList(value: string): boolean {
  if (value === 'true' || value === 'false') return true
  return value.split(',').every((item) => {
    const [address = '', bits = '0', ...rest] = item.trim().split('/')
    const bitsMax = isIP(address) === 6 ? 128 : 32
    return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax && rest.length === 0
  })
}

/** `name@example.com` or `Name <name@example.com>`. */
const SENDER = /^(?:[^<>"@,;\p{Cc}]* <[^\s<>"@,;]+@[^\s<>"@,;]+>|[^\s<>"@,;]+@[^\s<>"@,;]+)$/u

/** `name:credits`. The name of a model may contain colons, too. */
const MODEL = /^(?<name>[\x21-\x7e]{1,200}):(?<credits>[1-9]\d{0,3})$/
const NO_MODELS =
  'must be a list such as gpt-small:2,gpt-large:10: names of models, each with its price in credits (1 to 9999)'
/** The name of the answerer that needs no model. */
const EMBEDDED = 'embedded'
const models = list.transform((items, context) => {
  const read = items.map((item) => MODEL.exec(item)?.groups ?? {})
  const found = read.map(({ name = '', credits = '' }) => ({ name, credits: Number(credits) }))
  const names = new Set(found.map(({ name }) => name))
  if (found.length > 0 && names.size === found.length && !names.has('') && !names.has(EMBEDDED)) return found
  context.addIssue(NO_MODELS)
  return z.NEVER
})
/** What is not an address without a user or a query can put a secret into a message, or ends up in the wrong place. */
const endpoint = url.refine((value) => {
  const { username, password, search, hash } = new URL(value)
  return `${username}${password}${search}${hash}` === ''
}, 'must be an http:// or https:// URL without a user, a query or a fragment')

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const Settings = z.object({
  PORT: port.default(8080),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DATABASE_CONNECTIONS: z
    .string()
    .regex(/^([2-9]|[1-9]\d{1,3})$/, 'must be a whole number from 2 to 9999')
    .transform(Number)
    .default(10),
  APP_URL: url.optional(),
  PUBLIC_URL: url.optional(),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList, 'must be true, false, or a list of proxy addresses such as 10.0.0.0/8,192.0.2.1')
    .default('false'),
  DRAIN_SECONDS: z
    .string()
    .regex(/^([0-9]|[1-5]\d|60)$/, 'must be a whole number from 0 to 60')
    .transform(Number)
    .default(0),
  CONNECTIONS_MAX: cap.default(2000),
  CONNECTIONS_PER_ADDRESS: cap.default(256),
  RATE_LIMIT_PER_MINUTE: cap.default(600),
  RATE_LIMIT_PER_HOUR: cap.default(20_000),
  FORMS_PER_MINUTE: cap.default(600),
  STARTING_CREDITS: count.default(1000),
  LOW_CREDITS: count.default(100),
  STORAGE_PER_ORGANISATION: byteSize.default(5 * 1024 ** 3),
  S3_ENDPOINT: url.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket: lower-case letters, digits, - and .')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a region such as eu-central-1, or the one that your server expects')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  SECRET_KEY: z.string().min(16, 'must be at least 16 characters').optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  MAIL_FROM: z.string().regex(SENDER, 'must be an address such as no-reply@example.com').optional(),
  LLM_BASE_URL: endpoint.optional(),
  LLM_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be a key without spaces')
    .optional(),
  LLM_MODELS: models.optional(),
  LLM_EMBEDDINGS_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be the name of a model')
    .optional(),
  LLM_TIMEOUT_SECONDS: z
    .string()
    .regex(/^([1-9]\d?|[1-5]\d\d|600)$/, 'must be a whole number from 1 to 600')
    .transform(Number)
    .default(60),
  DOMAIN_A: list.pipe(z.array(z.ipv4('must be a list of IPv4 addresses, separated by commas'))).default([]),
  DOMAIN_AAAA: list.pipe(z.array(z.ipv6('must be a list of IPv6 addresses, separated by commas'))).default([]),
  DOMAIN_CNAME: z.string().optional(),
  DNS_SERVERS: list
    .pipe(z.array(hostAndPort('must be a list of addresses with a port, such as 127.0.0.1:53')))
    .default([]),
  WEBHOOK_PORTS: list.pipe(z.array(port)).default([443]),
  WEBHOOK_DEV_ALLOW: list
    .pipe(z.array(hostAndPort('must be a list of hosts with a port, such as localhost:3000')))
    .default([]),
  GEOIP_FILE: z.string().optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be the name of an HTTP header')
    .optional(),
  RENDER_THREADS: z
    .string()
    .regex(/^[1-9]\d?$/, 'must be a whole number from 1 to 99')
    .transform(Number)
    .default(2),
  AUDIT_LOG_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a whole number from 1 to 99999')
    .transform(Number)
    .default(400),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  METRICS_PORT: port.optional(),
})

/** Returns the settings that a command runs with, or throws an error that says what is wrong with them. */
export type ReadSettings = () => Config

/** Reads the settings; nothing else reads the environment. A `.env` file adds settings that the environment lacks. */
export function readConfig(environment = process.env, file = '.env'): Config {
  const fromFile = readEnvFile(file)
  const unknown = Object.keys(fromFile).filter((name) => !(name in Settings.shape))
  if (unknown.length > 0)
    throw new OperatorError(`${file}: unknown setting ${unknown.join(', ')}. Correct or remove it.`)

  const given = Object.entries({ ...fromFile, ...environment }).filter(([, value]) => value !== '')
  const parsed = Settings.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`)
    throw new OperatorError(`Invalid setting: ${problems.join('; ')}. Correct it in the environment or in ${file}.`)
  }
  const settings = parsed.data
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = settings
  if ((smtpUrl === undefined) !== (from === undefined)) {
    const [missing, given] = from === undefined ? ['MAIL_FROM', 'SMTP_URL'] : ['SMTP_URL', 'MAIL_FROM']
    throw new OperatorError(`${missing} is missing. To send mails, set it together with ${given}.`)
  }
  const appUrl = settings.APP_URL ?? `http://${toUrlHost(settings.HOST)}:${settings.PORT}`
  const publicUrl = settings.PUBLIC_URL ?? appUrl
  const dataDir = resolve(settings.DATA_DIR)
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir,
    database: settings.DATABASE_URL ? { url: settings.DATABASE_URL } : { file: resolve(dataDir, 'waymark.db') },
    databaseConnections: settings.DATABASE_CONNECTIONS,
    appUrl,
    publicUrl,
    acceptsAnyHost: settings.APP_URL === undefined && settings.PUBLIC_URL === undefined,
    trustProxy: { true: true, false: false }[settings.TRUST_PROXY] ?? settings.TRUST_PROXY,
    drainMs: settings.DRAIN_SECONDS * SECOND_MS,
    connections: {
      connectionsMax: settings.CONNECTIONS_MAX,
      connectionsPerAddress: settings.CONNECTIONS_PER_ADDRESS,
    },
    caps: { perMinute: settings.RATE_LIMIT_PER_MINUTE, perHour: settings.RATE_LIMIT_PER_HOUR },
    formsPerMinute: settings.FORMS_PER_MINUTE,
    credits: { starting: settings.STARTING_CREDITS, low: settings.LOW_CREDITS },
    storageBytesMax: settings.STORAGE_PER_ORGANISATION,
    s3: readS3(settings),
    secretKey: settings.SECRET_KEY,
    mail: smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from },
    llm: readLlm(settings),
    domainTargets: { a: settings.DOMAIN_A, aaaa: settings.DOMAIN_AAAA, cname: settings.DOMAIN_CNAME },
    outbound: { ports: settings.WEBHOOK_PORTS, devAllow: settings.WEBHOOK_DEV_ALLOW, dnsServers: settings.DNS_SERVERS },
    location: { countryHeader: settings.COUNTRY_HEADER, geoipFile: settings.GEOIP_FILE },
    renderThreads: settings.RENDER_THREADS,
    auditLogDays: settings.AUDIT_LOG_DAYS,
    logLevel: settings.LOG_LEVEL,
    metricsPort: settings.METRICS_PORT,
  }
}

/** All of them or none: with some, files would be stored where nobody expects them. */
function readS3(settings: z.output<typeof Settings>): S3Settings | undefined {
  const names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const missing = names.filter((name) => settings[name] === undefined)
  if (missing.length === names.length) return undefined
  const [endpoint, bucket, region, accessKeyId, secretAccessKey] = names.map((name) => settings[name])
  if (!endpoint || !bucket || !region || !accessKeyId || !secretAccessKey) {
    throw new OperatorError(
      `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. To store files in a bucket, set all of ${names.join(', ')}. To store them in DATA_DIR, set none.`,
    )
  }
  return { endpoint, bucket, region, accessKeyId, secretAccessKey }
}

/** Limits the wait for the first part of an answer, and between two parts. */
const SILENCE_SECONDS_MAX = 15

function readLlm(settings: z.output<typeof Settings>): LlmSettings | undefined {
  const {
    LLM_BASE_URL: baseUrl,
    LLM_MODELS: models,
    LLM_API_KEY: apiKey,
    LLM_EMBEDDINGS_MODEL: embeddingsModel,
  } = settings
  if (baseUrl === undefined) {
    const given = (['LLM_MODELS', 'LLM_API_KEY', 'LLM_EMBEDDINGS_MODEL'] as const).filter((name) => settings[name])
    if (given.length === 0) return undefined
    throw new OperatorError(
      `LLM_BASE_URL is missing. To use a language model, set it together with ${given.join(', ')}.`,
    )
  }
  if (models === undefined) {
    throw new OperatorError('LLM_MODELS is missing. To use a language model, set it together with LLM_BASE_URL.')
  }
  const seconds = settings.LLM_TIMEOUT_SECONDS
  return {
    baseUrl,
    apiKey,
    models,
    embeddingsModel,
    answerMsMax: seconds * SECOND_MS,
    silenceMsMax: Math.min(SILENCE_SECONDS_MAX, seconds) * SECOND_MS,
  }
}

/** Returns the host that a browser on this machine uses for the address that we listen on. */
function toUrlHost(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return isIP(host) === 6 ? `[${host}]` : host
}

function readEnvFile(file: string): Record<string, string> {
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Record<string, string>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new OperatorError(`Cannot read ${file}: ${(error as Error).message}. Make it readable, or remove it.`)
  }
}
