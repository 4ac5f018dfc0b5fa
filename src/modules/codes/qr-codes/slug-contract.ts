import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'
import { isReservedOnDomain, RESERVED_WORDS } from '../../../platform/contract/reserved-words.ts'
import { UUID_PATTERN } from '../../../platform/ids/index.ts'
import { CHOSEN_SLUG, DOMAIN_SLUG, DOMAIN_SLUG_LENGTH_MAX } from '../scan-targets/contract.ts'

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
  const [first = ''] = slug.split('/', 1)
  const isReserved = domain_id == null ? RESERVED_WORDS.has(slug.toLowerCase()) : isReservedOnDomain(first)
  // An id in a path would be ambiguous.
  if (UUID_PATTERN.test(slug)) refuse('Must not be a UUID')
  else if (domain_id == null && !CHOSEN_SLUG.test(slug)) refuse('Must be 3 to 64 letters, digits, - or _')
  else if (isReserved) refuse('This word is part of our own addresses. Choose another one')
}

const from = field
  .name(100)
  .describe('The service that counted them.')
  .meta({ examples: ['bitly'] })
const scans = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ examples: [1280] })

/** What is known of a code from before it was moved here. */
export const Imported = z
  .object({
    scans: scans.describe('The scans that were counted there. Part of `total_scans`.'),
    created_at: field.timestamp.describe('When the code was created there. The `created_at` of the code.'),
    from,
  })
  .meta({ id: 'ImportedScans', description: 'What another service knew about a code that was moved here.' })
export type Imported = z.infer<typeof Imported>

export const ImportedInput = z
  .strictObject({
    scans: scans.optional().describe('The scans that were counted there. They are added to `total_scans`.'),
    created_at: field.timestamp
      .optional()
      .describe('When the code was created there. Becomes `created_at` of a new code; not in the future.'),
    from,
  })
  .meta({ id: 'ImportedScansInput' })
export type ImportedInput = z.output<typeof ImportedInput>
