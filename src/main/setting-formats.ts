import { isIP } from 'node:net'
import { z } from 'zod'
import { readPrivateHosts } from '../platform/outbound/index.ts'
import { readByteSize } from './byte-size.ts'

/** What the reference of settings says about one, beside its name. Its rules are in its schema. */
interface SettingDescription {
  section: Section
  meaning: string
  /** Written out if it follows from something else; otherwise it is the default of the schema. */
  default?: string
  /** A valid value. */
  example: string
  /** Never print it, and keep it out of version control. */
  secret?: true
}

/** In the order of the reference. */
export const SECTIONS = [
  'Addresses',
  'Data',
  'Limits',
  'Secrets and logs',
  'Mail',
  'Stored files',
  'Credits',
  'Language models',
  'Custom domains and DNS',
  'Webhooks and image downloads',
  'Visitors',
] as const
type Section = (typeof SECTIONS)[number]

export const descriptions = z.registry<SettingDescription>()

const NOT_A_PORT = 'must be a port number from 0 to 65535'
export const port = z.string().regex(/^\d+$/, NOT_A_PORT).transform(Number).pipe(z.number().max(65535, NOT_A_PORT))

export const cap = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number of at least 1')
  .transform(Number)

export const count = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number from 0 to 999999999999')
  .transform(Number)

export const byteSize = z.string().transform((value, context) => {
  const bytes = readByteSize(value)
  if (bytes === undefined) context.addIssue('must be a size such as 5GiB, 500MiB or 1000000')
  return bytes ?? z.NEVER
})

export const url = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .transform((value) => value.replace(/\/+$/, ''))

/** What is not an address without a user or a query can put a secret into a message, or ends up in the wrong place. */
export const endpoint = url.refine((value) => {
  const { username, password, search, hash } = new URL(value)
  return `${username}${password}${search}${hash}` === ''
}, 'must be an http:// or https:// URL without a user, a query or a fragment')

export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

export const hostAndPort = (error: string) => z.string().regex(/^(\[[0-9a-f:]+\]|[^\s:/]+):\d{1,5}$/i, error)

export const privateHosts = list.transform((pairs, context) => {
  try {
    return readPrivateHosts(pairs)
  } catch (error) {
    context.addIssue(`is a list such as hooks.acme.internal=10.1.2.3, but ${(error as Error).message}`)
    return z.NEVER
  }
})

/** Accepts a comma-separated list of addresses and ranges (`10.0.0.0/8`). */
export function isProxyList(value: string): boolean {
  if (value === 'true' || value === 'false') return true
  return value.split(',').every((item) => {
    const [address = '', bits = '0', ...rest] = item.trim().split('/')
    const bitsMax = isIP(address) === 6 ? 128 : 32
    return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax && rest.length === 0
  })
}

/** `name@example.com` or `Name <name@example.com>`. */
export const SENDER = /^(?:[^<>"@,;\p{Cc}]* <[^\s<>"@,;]+@[^\s<>"@,;]+>|[^\s<>"@,;]+@[^\s<>"@,;]+)$/u

/** `name:credits`. The name of a model may contain colons, too. */
const MODEL = /^(?<name>[\x21-\x7e]{1,200}):(?<credits>[1-9]\d{0,3})$/
const NO_MODELS =
  'must be a list such as gpt-small:2,gpt-large:10: names of models, each with its price in credits (1 to 9999)'
/** The name of the answerer that needs no model. */
const EMBEDDED = 'embedded'

export const models = list.transform((items, context) => {
  const read = items.map((item) => MODEL.exec(item)?.groups ?? {})
  const found = read.map(({ name = '', credits = '' }) => ({ name, credits: Number(credits) }))
  const names = new Set(found.map(({ name }) => name))
  if (found.length > 0 && names.size === found.length && !names.has('') && !names.has(EMBEDDED)) return found
  context.addIssue(NO_MODELS)
  return z.NEVER
})
