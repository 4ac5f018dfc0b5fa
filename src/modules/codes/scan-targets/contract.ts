import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'
import { isServedOnDomain, RESERVED_WORDS } from '../../../platform/contract/reserved-words.ts'

/** Leaves out characters that look alike in print: 0 and O; 1, l and I. */
export const SLUG_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
export const SLUG_LENGTH = 8
export const SLUG_PATTERN = new RegExp(`^[${SLUG_ALPHABET}]{${SLUG_LENGTH}}$`)

/** A slug that somebody chose, on the host of the service. */
export const CHOSEN_SLUG = /^[A-Za-z0-9_-]{3,64}$/
/** The same on a custom domain, where it may be a path, and short: other services number their codes from 1. */
export const DOMAIN_SLUG = /^[A-Za-z0-9_-]{1,64}(?:\/[A-Za-z0-9_-]{1,64})*$/
export const DOMAIN_SLUG_LENGTH_MAX = 255

/** The part of a printed URL that identifies the target. */
export const PublicSlug = z
  .string()
  .regex(SLUG_PATTERN)
  .meta({ examples: ['aB3dE5gH'] })

/** The slug of a code: drawn, chosen on the host of the service, or chosen on a custom domain. */
export const CodeSlug = z
  .string()
  .max(DOMAIN_SLUG_LENGTH_MAX, { error: `Must have at most ${DOMAIN_SLUG_LENGTH_MAX} characters` })
  .regex(DOMAIN_SLUG, { error: 'Must be letters, digits, - and _, in parts separated by /' })
  .meta({ examples: ['aB3dE5gH'] })

/** The domain and the slug of a code. No slug has a dot, and every domain has one. */
const ADDRESS = /^(?:([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/)?([A-Za-z0-9_-].*)$/

export interface CodeAddress {
  domain: string | undefined
  slug: string
}

/** Parses `sale` or `go.acme.com/sale`. */
export function parseCodeAddress(text: string): CodeAddress | undefined {
  const [, domain, slug = ''] = ADDRESS.exec(text) ?? []
  return DOMAIN_SLUG.test(slug) && text.length <= 2 * DOMAIN_SLUG_LENGTH_MAX ? { domain, slug } : undefined
}

/** Paths accept the id of a code, its slug, or its domain and slug. */
export const codeParams = {
  params: {
    id: z
      .union([field.id, z.string().refine((text) => parseCodeAddress(text) !== undefined)], {
        error: 'Must be a UUID or a public slug',
      })
      .meta({
        description:
          'The id of the QR code, or its public slug. A slug with `/` is percent-encoded: `summer%2Fsale`. If codes on several domains have the same slug, put the domain in front: `go.acme.com%2Fsale`.',
      }),
  },
} as const

const DomainId = field.id.nullable()

/** What can only be said when a code is created. */
export const slugFields = {
  public_slug: CodeSlug.optional().describe(
    'Chosen instead of drawn. 3 to 64 letters, digits, `-` and `_`, and no reserved word; this needs the scope `codes.slugs`, because all organisations share these slugs. With `domain_id`, it may be shorter or a path, and needs no further scope. It never changes, and is never reused.',
  ),
  domain_id: DomainId.optional().describe(
    'One of your verified custom domains. The code then works on that domain alone, where its slug has to be unique.',
  ),
}

interface SentSlug {
  public_slug?: string | undefined
  domain_id?: string | null | undefined
}

/** The rules of a slug that depend on where it is meant. */
export function checkSlug({ public_slug: slug, domain_id }: SentSlug, context: z.RefinementCtx): void {
  if (slug === undefined) return
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['public_slug'], message })
  const isReserved = domain_id == null ? RESERVED_WORDS.has(slug.toLowerCase()) : isServedOnDomain(slug)
  // An id in a path would be ambiguous.
  if (field.id.safeParse(slug).success) refuse('Must not be a UUID')
  else if (domain_id == null && !CHOSEN_SLUG.test(slug)) refuse('Must be 3 to 64 letters, digits, - or _')
  else if (isReserved) refuse('This word is part of our own addresses. Choose another one')
}
