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
import type { PrivateHost } from '../platform/outbound/index.ts'
import type { Caps } from '../platform/rate-limit/index.ts'
import type { LogLevel } from '../platform/telemetry/logging.ts'
import {
  byteSize,
  cap,
  count,
  descriptions,
  endpoint,
  hostAndPort,
  isProxyList,
  list,
  models,
  port,
  privateHosts,
  SENDER,
  url,
} from './setting-formats.ts'

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
  /** What a chatbot may spend on visitors: questions in 24 hours, of all of them and from one address. */
  questions: { perDay: number; perAddress: number }
  credits: {
    /** Whether answers of chatbots cost something, unless the operator has decided otherwise for an organisation. */
    isMetered: boolean
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
  /** The former value, while SECRET_KEY is being replaced. */
  oldSecretKey: string | undefined
  /** Undefined if the installation sends no mails. */
  mail: MailSettings | undefined
  /** Undefined if only the embedded answerer answers questions. */
  llm: LlmSettings | undefined
  /** DNS targets for customers' domains. */
  domainTargets: { a: string[]; aaaa: string[]; cname: string | undefined }
  /** Applies to requests to URLs that customers entered. */
  outbound: { ports: number[]; devAllow: string[]; dnsServers: string[] }
  /** Hosts in the operator's own network that webhooks may reach. */
  webhookPrivateHosts: PrivateHost[]
  /** Sources of a visitor's rough location: a proxy's header or a GeoIP file. */
  location: { countryHeader: string | undefined; geoipFile: string | undefined }
  /** Threads that render Markdown. */
  renderThreads: number
  /** How long the audit log is kept. */
  auditLogDays: number
  logLevel: LogLevel
  metricsPort: number | undefined
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Every setting, with its description for docs/settings.md, which `npm run generate` writes. */
export const Settings = z.object({
  PORT: port.default(8080).register(descriptions, {
    section: 'Addresses',
    meaning: 'The port to listen on. 0 chooses a free one.',
    example: '80',
  }),
  HOST: z.string().default('127.0.0.1').register(descriptions, {
    section: 'Addresses',
    meaning: 'The address to listen on. `0.0.0.0` is every IPv4 address of this machine.',
    example: '0.0.0.0',
  }),
  APP_URL: url.optional().register(descriptions, {
    section: 'Addresses',
    meaning: 'The public address of the service: the API, `/account`, links in mails.',
    default: '`http://localhost` with `PORT`',
    example: 'https://app.acme.com',
  }),
  PUBLIC_URL: url.optional().register(descriptions, {
    section: 'Addresses',
    meaning: 'The address in printed codes and of public pages. Set it before you print a code.',
    default: '`APP_URL`',
    example: 'https://go.acme.com',
  }),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList, 'must be true, false, or a list of proxy addresses such as 10.0.0.0/8,192.0.2.1')
    .default('false')
    .register(descriptions, {
      section: 'Addresses',
      meaning:
        'Addresses and ranges of the proxies whose `X-Forwarded-For` to trust. With `true`, every client can choose the address that limits see.',
      example: '10.0.0.0/8,192.0.2.1',
    }),
  DRAIN_SECONDS: z
    .string()
    .regex(/^([0-9]|[1-5]\d|60)$/, 'must be a whole number from 0 to 60')
    .transform(Number)
    .default(0)
    .register(descriptions, {
      section: 'Addresses',
      meaning:
        'How long a stopping service still takes requests while its health checks fail, so that a proxy uses other instances.',
      example: '4',
    }),
  METRICS_PORT: port.optional().register(descriptions, {
    section: 'Addresses',
    meaning: 'Serves metrics for Prometheus at `/metrics` on this port of `HOST`. Do not open it to the public.',
    default: 'no metrics',
    example: '9464',
  }),
  DATA_DIR: z.string().default('./data').register(descriptions, {
    section: 'Data',
    meaning:
      'The folder of the embedded database, of stored files, and of scans that wait for the database. Closed to other users of the machine.',
    example: '/var/lib/waymark',
  }),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .register(descriptions, {
      section: 'Data',
      meaning: 'Uses PostgreSQL 15 or later instead of the embedded database. Several instances may share it.',
      example: 'postgres://waymark:password@localhost:5432/waymark',
      secret: true,
    }),
  DATABASE_CONNECTIONS: z
    .string()
    .regex(/^([2-9]|[1-9]\d{1,3})$/, 'must be a whole number from 2 to 9999')
    .transform(Number)
    .default(10)
    .register(descriptions, {
      section: 'Data',
      meaning:
        'Connections to PostgreSQL of one instance for requests. It opens two more that short reads share, half as many for long reads, and one that watches the server.',
      example: '20',
    }),
  CONNECTIONS_MAX: cap.default(2000).register(descriptions, {
    section: 'Limits',
    meaning: 'Open connections. Keep it below the number of files that the process may open.',
    example: '5000',
  }),
  CONNECTIONS_PER_ADDRESS: cap.default(256).register(descriptions, {
    section: 'Limits',
    meaning: 'Open connections of one IPv4 address or IPv6 /64. Trusted proxies are exempt.',
    example: '100',
  }),
  RATE_LIMIT_PER_MINUTE: cap.default(600).register(descriptions, {
    section: 'Limits',
    meaning:
      'API requests of an organisation in a minute. `npx waymark org set SLUG --rate-per-minute N` sets it for one.',
    example: '1200',
  }),
  RATE_LIMIT_PER_HOUR: cap.default(20_000).register(descriptions, {
    section: 'Limits',
    meaning:
      'API requests of an organisation in an hour. `npx waymark org set SLUG --rate-per-hour N` sets it for one.',
    example: '40000',
  }),
  FORMS_PER_MINUTE: cap.default(600).register(descriptions, {
    section: 'Limits',
    meaning: 'Forms that a page takes in a minute.',
    example: '100',
  }),
  STORAGE_PER_ORGANISATION: byteSize.default(5 * 1024 ** 3).register(descriptions, {
    section: 'Limits',
    meaning: 'Stored files of an organisation. `npx waymark org set SLUG --storage 10GiB` sets it for one.',
    default: '`5GiB`',
    example: '20GiB',
  }),
  RENDER_THREADS: z
    .string()
    .regex(/^[1-9]\d?$/, 'must be a whole number from 1 to 99')
    .transform(Number)
    .default(2)
    .register(descriptions, {
      section: 'Limits',
      meaning: 'Threads that render Markdown. With more than one, an organisation never uses all of them.',
      example: '4',
    }),
  AUDIT_LOG_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a whole number from 1 to 99999')
    .transform(Number)
    .default(400)
    .register(descriptions, { section: 'Limits', meaning: 'How long the audit log is kept.', example: '730' }),
  SECRET_KEY: z.string().min(16, 'must be at least 16 characters').optional().register(descriptions, {
    section: 'Secrets and logs',
    meaning:
      'Encrypts the keys with which stored secrets are encrypted. Without it, those keys are in the database in plain text. No backup can be restored without it.',
    example: '3b1f0c5de2a94c6f8d7e1a2b3c4d5e6f',
    secret: true,
  }),
  SECRET_KEY_OLD: z.string().min(16, 'must be at least 16 characters').optional().register(descriptions, {
    section: 'Secrets and logs',
    meaning: 'The former `SECRET_KEY`, only while it is rotated: [secrets](operations.md#secrets-and-secret_key).',
    example: '9c7d2e4f6a8b0c1d3e5f7a9b1c3d5e7f',
    secret: true,
  }),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .register(descriptions, {
      section: 'Secrets and logs',
      meaning: `How much is logged, as lines of JSON on standard output: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}.`,
      example: 'warn',
    }),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp:// or smtps:// URL' })
    .optional()
    .register(descriptions, {
      section: 'Mail',
      meaning:
        'The server that sends mails. `smtps://` encrypts from the start; `smtp://` encrypts if the server offers it, and with `?requireTLS=true` sends nothing otherwise. Special characters in the user name or password are percent-encoded. Goes together with `MAIL_FROM`.',
      default: 'no mails are sent',
      example: 'smtps://user:password@mail.acme.com:465',
      secret: true,
    }),
  MAIL_FROM: z
    .string()
    .regex(SENDER, 'must be an address such as no-reply@example.com')
    .optional()
    .register(descriptions, {
      section: 'Mail',
      meaning: 'The sender: an address, or a name with an address.',
      example: 'Acme <no-reply@acme.com>',
    }),
  S3_ENDPOINT: url.optional().register(descriptions, {
    section: 'Stored files',
    meaning:
      'The server of an S3-compatible store, without the bucket. Set all settings of this section, or none: then files are stored in `DATA_DIR`.',
    default: 'files are in `DATA_DIR`',
    example: 'https://s3.eu-central-1.amazonaws.com',
  }),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket: lower-case letters, digits, - and .')
    .optional()
    .register(descriptions, {
      section: 'Stored files',
      meaning: 'The bucket, which must exist. It needs no public access: Waymark serves the files.',
      example: 'acme-waymark',
    }),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a region such as eu-central-1, or the one that your server expects')
    .optional()
    .register(descriptions, {
      section: 'Stored files',
      meaning: 'The region, or what your server expects.',
      example: 'eu-central-1',
    }),
  S3_ACCESS_KEY_ID: z.string().optional().register(descriptions, {
    section: 'Stored files',
    meaning: 'The ID of a key that may read, write and delete objects of the bucket.',
    example: 'AKIAEXAMPLE',
  }),
  S3_SECRET_ACCESS_KEY: z.string().optional().register(descriptions, {
    section: 'Stored files',
    meaning: 'The secret of that key.',
    example: 'a-long-secret',
    secret: true,
  }),
  CREDITS: z.enum(['unlimited', 'metered'], 'must be unlimited or metered').optional().register(descriptions, {
    section: 'Credits',
    meaning:
      'Whether answers of chatbots cost credits. `npx waymark org set SLUG --credits N` decides it for one organisation.',
    default: '`unlimited`, or `metered` if `STARTING_CREDITS` is set',
    example: 'metered',
  }),
  STARTING_CREDITS: count.optional().register(descriptions, {
    section: 'Credits',
    meaning: 'The balance of a new organisation. It is kept while answers cost nothing.',
    default: '`1000`',
    example: '500',
  }),
  LOW_CREDITS: count.default(100).register(descriptions, {
    section: 'Credits',
    meaning:
      'When a balance falls below it, owners get a mail; others follow when visitors have used their part, and at 0.',
    example: '50',
  }),
  QUESTIONS_PER_DAY: count.default(1000).register(descriptions, {
    section: 'Credits',
    meaning: 'Answers of one chatbot to visitors in 24 hours that may cost credits or a request to a model.',
    example: '5000',
  }),
  QUESTIONS_PER_ADDRESS: count.default(200).register(descriptions, {
    section: 'Credits',
    meaning: 'The same for one address (IPv6: /64).',
    example: '500',
  }),
  LLM_BASE_URL: endpoint.optional().register(descriptions, {
    section: 'Language models',
    meaning:
      'An OpenAI-compatible endpoint; answers come from `/chat/completions` under it. It may be in a private network. Goes together with `LLM_MODELS`.',
    default: 'the embedded answerer answers',
    example: 'http://localhost:11434/v1',
  }),
  LLM_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be a key without spaces')
    .optional()
    .register(descriptions, {
      section: 'Language models',
      meaning: 'Sent as `Authorization: Bearer`.',
      example: 'sk-example',
      secret: true,
    }),
  LLM_MODELS: models.optional().register(descriptions, {
    section: 'Language models',
    meaning: 'The models that chatbots may use, each with what an answer costs in credits. The first is the default.',
    example: 'gpt-small:2,gpt-large:10',
  }),
  LLM_EMBEDDINGS_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be the name of a model')
    .optional()
    .register(descriptions, {
      section: 'Language models',
      meaning: 'A model for `/embeddings`, if passages should be found by their meaning, too.',
      example: 'text-vectors',
    }),
  LLM_TIMEOUT_SECONDS: z
    .string()
    .regex(/^([1-9]\d?|[1-5]\d\d|600)$/, 'must be a whole number from 1 to 600')
    .transform(Number)
    .default(60)
    .register(descriptions, {
      section: 'Language models',
      meaning: 'For a whole answer. Some part of it must arrive every 15 seconds.',
      example: '120',
    }),
  DOMAIN_A: list
    .pipe(z.array(z.ipv4('must be a list of IPv4 addresses, separated by commas')))
    .default([])
    .register(descriptions, {
      section: 'Custom domains and DNS',
      meaning: 'IPv4 addresses of this installation, to which customers point their domains.',
      example: '203.0.113.10',
    }),
  DOMAIN_AAAA: list
    .pipe(z.array(z.ipv6('must be a list of IPv6 addresses, separated by commas')))
    .default([])
    .register(descriptions, {
      section: 'Custom domains and DNS',
      meaning: 'The same for IPv6.',
      example: '2001:db8::10',
    }),
  DOMAIN_CNAME: z.string().optional().register(descriptions, {
    section: 'Custom domains and DNS',
    meaning: 'The name to which customers point subdomains.',
    default: 'the host of `PUBLIC_URL`',
    example: 'domains.acme.com',
  }),
  DNS_SERVERS: list
    .pipe(z.array(hostAndPort('must be a list of addresses with a port, such as 127.0.0.1:53')))
    .default([])
    .register(descriptions, {
      section: 'Custom domains and DNS',
      meaning: 'Name servers for looking up the addresses that customers enter.',
      default: 'those of the system',
      example: '127.0.0.1:53,[::1]:53',
    }),
  WEBHOOK_PORTS: list.pipe(z.array(port)).default([443]).register(descriptions, {
    section: 'Webhooks and image downloads',
    meaning: 'Ports that URLs of webhooks and images may have.',
    default: '`443`',
    example: '443,8443',
  }),
  WEBHOOK_PRIVATE_HOSTS: privateHosts.default([]).register(descriptions, {
    section: 'Webhooks and image downloads',
    meaning:
      'Hosts in your own network that webhooks may reach, each with the addresses or ranges that its name may resolve to: [webhooks into your own network](operations.md#webhooks-into-your-own-network). Image downloads never use it.',
    example: 'hooks.acme.internal=10.1.2.3,erp.acme.com=10.0.0.0/8',
  }),
  WEBHOOK_DEV_ALLOW: list
    .pipe(z.array(hostAndPort('must be a list of hosts with a port, such as localhost:3000')))
    .default([])
    .register(descriptions, {
      section: 'Webhooks and image downloads',
      meaning: 'For development only: hosts that are exempt from the rules on HTTPS, names, addresses and ports.',
      example: 'localhost:3000',
    }),
  GEOIP_FILE: z.string().optional().register(descriptions, {
    section: 'Visitors',
    meaning: 'A file in the format of MaxMind, for the rough location of visitors.',
    example: '/var/lib/GeoIP/GeoLite2-City.mmdb',
  }),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be the name of an HTTP header')
    .optional()
    .register(descriptions, {
      section: 'Visitors',
      meaning: 'A header with the country of the visitor, if your proxy sets one.',
      example: 'cf-ipcountry',
    }),
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
  if (settings.SECRET_KEY_OLD !== undefined && settings.SECRET_KEY === undefined) {
    throw new OperatorError(
      'SECRET_KEY is missing. SECRET_KEY_OLD is only the former value: set SECRET_KEY to the new one.',
    )
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
    questions: { perDay: settings.QUESTIONS_PER_DAY, perAddress: settings.QUESTIONS_PER_ADDRESS },
    credits: readCredits(settings),
    storageBytesMax: settings.STORAGE_PER_ORGANISATION,
    s3: readS3(settings),
    secretKey: settings.SECRET_KEY,
    oldSecretKey: settings.SECRET_KEY_OLD,
    mail: smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from },
    llm: readLlm(settings),
    domainTargets: { a: settings.DOMAIN_A, aaaa: settings.DOMAIN_AAAA, cname: settings.DOMAIN_CNAME },
    outbound: { ports: settings.WEBHOOK_PORTS, devAllow: settings.WEBHOOK_DEV_ALLOW, dnsServers: settings.DNS_SERVERS },
    webhookPrivateHosts: settings.WEBHOOK_PRIVATE_HOSTS,
    location: { countryHeader: settings.COUNTRY_HEADER, geoipFile: settings.GEOIP_FILE },
    renderThreads: settings.RENDER_THREADS,
    auditLogDays: settings.AUDIT_LOG_DAYS,
    logLevel: settings.LOG_LEVEL,
    metricsPort: settings.METRICS_PORT,
  }
}

const STARTING_CREDITS = 1000

/** Somebody who says how many credits an organisation begins with wants them to be charged. */
const readCredits = (settings: z.output<typeof Settings>): Config['credits'] => ({
  isMetered: (settings.CREDITS ?? (settings.STARTING_CREDITS === undefined ? 'unlimited' : 'metered')) === 'metered',
  starting: settings.STARTING_CREDITS ?? STARTING_CREDITS,
  low: settings.LOW_CREDITS,
})

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
