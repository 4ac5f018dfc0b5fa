import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'

const VerificationRecord = z.object({
  type: z.string().meta({ description: 'The kind of DNS record: TXT, A, AAAA or CNAME.', examples: ['TXT'] }),
  domain: z.string().meta({ description: 'Where to put it.', examples: ['_waymark-challenge.shop.acme.com'] }),
  value: z.string().meta({
    description: 'What to put there.',
    examples: ['waymark-verify=2f6d0c1a9b7e4d53860fae12c4b79d03e5a861bc'],
  }),
  reason: z.string().meta({ description: '`ownership` or `pointing`.', examples: ['ownership'] }),
})
export type VerificationRecord = z.infer<typeof VerificationRecord>

/** A customer's own domain, on which their codes and pages are reached. */
export const CustomDomain = z
  .object({
    object: z.literal('custom_domain'),
    id: field.id,
    domain: z.string().meta({ description: 'Apex or subdomain, in ASCII.', examples: ['shop.acme.com'] }),
    verified: z.boolean().meta({
      description: 'Whether ownership and pointing were both right at the last check that counted.',
      examples: [false],
    }),
    verified_at: field.timestamp.nullable(),
    last_checked_at: field.timestamp.nullable(),
    check_error: z.string().nullable().describe('What the last check found wrong.'),
    verification_records: z
      .array(VerificationRecord)
      .describe('The DNS records to make. Empty once the domain is verified.'),
    created_at: field.timestamp,
  })
  .meta({
    id: 'CustomDomain',
    description: 'A domain of your own, on which your codes and pages are reached.',
  })
export type CustomDomain = z.infer<typeof CustomDomain>

export const CustomDomainCreate = z
  .strictObject({
    domain: field
      .text(3, 253)
      .describe('Apex or subdomain. `www.` before an apex is dropped; letters outside ASCII are written in Punycode.')
      .meta({ examples: ['shop.acme.com'] }),
  })
  .meta({ id: 'CustomDomainCreate' })
export type CustomDomainCreate = z.output<typeof CustomDomainCreate>

export const customDomains = operations(
  {
    name: 'custom-domains',
    title: 'Custom domains',
    about:
      'Domains of your own, under which your codes and pages are reached. A domain is connected first, then verified by the DNS records that Waymark asks you to make.',
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
      description: 'Answers the DNS records to make. The domain serves nothing until it is verified.',
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
