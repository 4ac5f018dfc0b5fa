import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import type { DatabaseLocation } from '../platform/db/open.ts'
import { OperatorError } from '../platform/errors/operator-error.ts'
import type { Caps } from '../platform/rate-limit/index.ts'
import type { LogLevel } from '../platform/telemetry/logging.ts'

export interface Config {
  port: number
  host: string
  dataDir: string
  database: DatabaseLocation
  /** Where the API and the dashboard are reached. */
  appUrl: string
  /** Where scanned codes lead; may be another host. */
  publicUrl: string
  /** A bare start does not know under which name it is reached. */
  acceptsAnyHost: boolean
  trustProxy: boolean | string
  caps: Caps
  secretKey: string | undefined
  /** What customers' domains should point at. */
  domainTargets: { a: string[]; aaaa: string[]; cname: string | undefined }
  /** How customers' addresses are looked up and reached. */
  outbound: { ports: number[]; devAllow: string[]; dnsServers: string[] }
  /** Where a visitor is, roughly: told by a proxy's header, or by a file. */
  location: { countryHeader: string | undefined; geoipFile: string | undefined }
  logLevel: LogLevel
  metricsPort: number | undefined
}

const port = z.string().regex(/^\d+$/, 'must be a port number').transform(Number).pipe(z.number().max(65535))
const cap = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number from 1')
  .transform(Number)
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((value) => value.replace(/\/+$/, ''))
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

const hostAndPort = (what: string) => z.string().regex(/^(\[[0-9a-f:]+\]|[^\s:/]+):\d{1,5}$/i, `must be ${what}`)

/** Addresses or ranges (`10.0.0.0/8`), with commas between them. */
function isProxyList(value: string): boolean {
  if (value === 'true' || value === 'false') return true
  return value.split(',').every((item) => {
    const [address = '', bits = '0', ...rest] = item.trim().split('/')
    const bitsMax = isIP(address) === 6 ? 128 : 32
    return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax && rest.length === 0
  })
}

const Settings = z.object({
  PORT: port.default(8080),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  APP_URL: url.optional(),
  PUBLIC_URL: url.optional(),
  TRUST_PROXY: z.string().refine(isProxyList, 'must be true, false, or addresses of proxies').default('false'),
  RATE_LIMIT_PER_MINUTE: cap.default(600),
  RATE_LIMIT_PER_HOUR: cap.default(20_000),
  SECRET_KEY: z.string().min(16, 'must be at least 16 characters').optional(),
  DOMAIN_A: list.pipe(z.array(z.ipv4('must be IPv4 addresses'))).default([]),
  DOMAIN_AAAA: list.pipe(z.array(z.ipv6('must be IPv6 addresses'))).default([]),
  DOMAIN_CNAME: z.string().optional(),
  DNS_SERVERS: list.pipe(z.array(hostAndPort('an address and port such as 127.0.0.1:53'))).default([]),
  WEBHOOK_PORTS: list.pipe(z.array(port)).default([443]),
  WEBHOOK_DEV_ALLOW: list.pipe(z.array(hostAndPort('a host and port such as localhost:3000'))).default([]),
  GEOIP_FILE: z.string().optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header')
    .optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  METRICS_PORT: port.optional(),
})

/** The only reader of the environment. A file `.env` in the working folder adds what the environment lacks. */
export function readConfig(environment = process.env, file = '.env'): Config {
  const fromFile = readEnvFile(file)
  const unknown = Object.keys(fromFile).filter((name) => !(name in Settings.shape))
  if (unknown.length > 0)
    throw new OperatorError(`${file}: unknown setting ${unknown.join(', ')}. Remove or correct it.`)

  const given = Object.entries({ ...fromFile, ...environment }).filter(([, value]) => value !== '')
  const parsed = Settings.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    const complaints = parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`)
    throw new OperatorError(`Bad setting: ${complaints.join('; ')}.`)
  }
  const settings = parsed.data
  const appUrl = settings.APP_URL ?? `http://${reachable(settings.HOST)}:${settings.PORT}`
  const publicUrl = settings.PUBLIC_URL ?? appUrl
  const dataDir = resolve(settings.DATA_DIR)
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir,
    database: settings.DATABASE_URL ? { url: settings.DATABASE_URL } : { file: resolve(dataDir, 'waymark.db') },
    appUrl,
    publicUrl,
    acceptsAnyHost: settings.APP_URL === undefined && settings.PUBLIC_URL === undefined,
    trustProxy: { true: true, false: false }[settings.TRUST_PROXY] ?? settings.TRUST_PROXY,
    caps: { perMinute: settings.RATE_LIMIT_PER_MINUTE, perHour: settings.RATE_LIMIT_PER_HOUR },
    secretKey: settings.SECRET_KEY,
    domainTargets: { a: settings.DOMAIN_A, aaaa: settings.DOMAIN_AAAA, cname: settings.DOMAIN_CNAME },
    outbound: { ports: settings.WEBHOOK_PORTS, devAllow: settings.WEBHOOK_DEV_ALLOW, dnsServers: settings.DNS_SERVERS },
    location: { countryHeader: settings.COUNTRY_HEADER, geoipFile: settings.GEOIP_FILE },
    logLevel: settings.LOG_LEVEL,
    metricsPort: settings.METRICS_PORT,
  }
}

/** How a browser on this machine writes the address that we listen on. */
function reachable(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return isIP(host) === 6 ? `[${host}]` : host
}

function readEnvFile(file: string): Record<string, string> {
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Record<string, string>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`)
  }
}
