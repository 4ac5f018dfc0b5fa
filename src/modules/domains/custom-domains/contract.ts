import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'

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
    last_checked_at: field.timestamp.nullable(),
    check_error: z.string().nullable().describe('The problem that the last check found. Null if there was none.'),
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

export const CustomDomainCreate = z
  .strictObject({
    domain: field
      .text(3, 253)
      .describe('An apex domain or subdomain. `www.` before an apex is removed; non-ASCII letters become Punycode.')
      .meta({ examples: ['shop.acme.com'] }),
  })
  .meta({ id: 'CustomDomainCreate' })
export type CustomDomainCreate = z.output<typeof CustomDomainCreate>

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
    delete: {
      method: 'DELETE',
      path: '/custom-domains/{id}',
      summary: 'Disconnect a custom domain',
    },
  },
)
