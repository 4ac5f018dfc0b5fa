import { z } from 'zod'
import { choice, field, offsetQuery, operations } from '../../../platform/contract/index.ts'

const VerificationRecord = z.object({
  type: z.string().meta({ description: 'The type of the DNS record: TXT, A, AAAA or CNAME.', examples: ['TXT'] }),
  domain: z.string().meta({ description: 'The name of the record.', examples: ['_waymark-challenge.shop.acme.com'] }),
  value: z.string().meta({
    description: 'The value of the record.',
    examples: ['waymark-verify=2f6d0c1a9b7e4d53860fae12c4b79d03e5a861bc'],
  }),
  reason: z.string().meta({
    description: '`ownership`: proves that the domain is yours. `pointing`: sends visitors of the domain to Waymark.',
    examples: ['ownership'],
  }),
})
export type VerificationRecord = z.infer<typeof VerificationRecord>

export const CustomDomain = z
  .object({
    object: z.literal('custom_domain'),
    id: field.id,
    domain: z.string().meta({ description: 'The apex domain or subdomain, in ASCII.', examples: ['shop.acme.com'] }),
    verified: z.boolean().meta({
      description: 'Whether the domain passed verification: ownership and pointing were both correct.',
      examples: [false],
    }),
    verified_at: field.timestamp.nullable(),
    wrong_since: field.timestamp
      .nullable()
      .describe(
        'Since when the records of a domain that was verified are wrong. It is lost after seven days, and keeps this time until it is verified again.',
      ),
    last_checked_at: field.timestamp.nullable(),
    check_error: z.string().nullable().describe('The problem that the last check found. Null if there was none.'),
    fallback_url: field.webUrl
      .nullable()
      .describe('Where visitors with an unknown code are redirected to. Null shows them a "not found" page.'),
    verification_records: z
      .array(VerificationRecord)
      .describe('The DNS records that you need to create. Empty once the domain is verified.'),
    created_at: field.timestamp,
  })
  .meta({
    id: 'CustomDomain',
    description: 'Your own domain for your codes and pages.',
  })
export type CustomDomain = z.infer<typeof CustomDomain>

const DomainCheck = z.object({
  type: z.string().meta({ description: 'The type of the DNS record: TXT, A, AAAA or CNAME.', examples: ['CNAME'] }),
  domain: z.string().meta({ description: 'The name of the record.', examples: ['shop.acme.com'] }),
  expected: z.string().meta({
    description:
      'The value that the record should have. Several are separated by commas. Empty if there should be no such record.',
    examples: ['go.waymark.example'],
  }),
  found: z.array(z.string().meta({ examples: ['shop.acme.com.cdn.example'] })).meta({
    description:
      'What DNS answered, at most 10 values. For a CNAME that the provider replaces by addresses, the addresses.',
    examples: [['shop.acme.com.cdn.example']],
  }),
  ok: z.boolean().describe('Whether the record is correct.'),
})
export type DomainCheck = z.infer<typeof DomainCheck>

export const CustomDomainVerification = z
  .object({
    object: z.literal('custom_domain_verification'),
    status: choice({
      verified: 'The domain is verified.',
      pending: 'The domain is not verified, because a record is missing or wrong.',
      error: 'DNS did not answer, so nothing has changed.',
    }).describe('The result of this check.'),
    domain: CustomDomain,
    error: z
      .string()
      .optional()
      .meta({
        description: 'Why DNS could not be asked. Only with the status `error`.',
        examples: ['DNS did not answer. Try again.'],
      }),
    checks: z.array(DomainCheck).describe('What was looked up, and what was found.'),
  })
  .meta({ id: 'CustomDomainVerification' })
export type CustomDomainVerification = z.infer<typeof CustomDomainVerification>

export const CustomDomainCreate = z
  .strictObject({
    domain: field
      .text(3, 253)
      .describe('An apex domain or subdomain. `www.` before an apex is removed; non-ASCII letters become Punycode.')
      .meta({ examples: ['shop.acme.com'] }),
  })
  .meta({ id: 'CustomDomainCreate' })
export type CustomDomainCreate = z.output<typeof CustomDomainCreate>

export const CustomDomainUpdate = z
  .strictObject({ fallback_url: CustomDomain.shape.fallback_url.optional() })
  .meta({ id: 'CustomDomainUpdate' })
export type CustomDomainUpdate = z.output<typeof CustomDomainUpdate>

export const customDomains = operations(
  {
    name: 'custom-domains',
    title: 'Custom domains',
    about:
      'Your own domains for your codes and pages. Connect a domain first, then create the DNS records that Waymark returns to verify it.',
    area: 'domains',
  },
  {
    list: {
      method: 'GET',
      path: '/custom-domains',
      summary: 'List custom domains',
      description: 'Newest first.',
      query: offsetQuery({}),
      offset: CustomDomain,
    },
    create: {
      method: 'POST',
      path: '/custom-domains',
      summary: 'Connect a custom domain',
      description: 'Returns the DNS records that you need to create. The domain is not used until it is verified.',
      body: CustomDomainCreate,
      created: CustomDomain,
      errors: ['conflict'],
      example: (n) => ({ domain: `shop-${n}.acme.com` }),
    },
    get: { method: 'GET', path: '/custom-domains/{id}', summary: 'Get a custom domain', ok: CustomDomain },
    update: {
      method: 'PATCH',
      path: '/custom-domains/{id}',
      summary: 'Update a custom domain',
      body: CustomDomainUpdate,
      ok: CustomDomain,
      example: () => ({ fallback_url: 'https://acme.com/help' }),
    },
    delete: {
      method: 'DELETE',
      path: '/custom-domains/{id}',
      summary: 'Disconnect a custom domain',
      description:
        'Its routes are deleted, too. Your codes and pages keep working below the public URL of the service. A domain with codes of its own is 409: delete them first.',
      errors: ['conflict'],
    },
    verify: {
      method: 'POST',
      path: '/custom-domains/{id}/verify',
      summary: 'Check a custom domain now',
      description:
        'Looks up the DNS records of the domain, and verifies it if both ownership and pointing are correct. If another organisation has the domain, yours takes it over. Waymark also checks by itself. A domain can be checked 6 times a minute and 60 times an hour.',
      ok: CustomDomainVerification,
      hasOutsideText: true,
    },
  },
)
