import { z } from 'zod'
import { choice, cursorQuery, field, operations, recorded } from '../../../platform/contract/index.ts'

const text = (example: string) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] })
const owner = field.id.nullable()

export const Scan = recorded(
  z
    .object({
      object: z.literal('scan'),
      id: field.id,
      qr_code_id: owner,
      object_id: owner
        .describe('The object that was scanned, or that the scanned code belongs to.')
        .meta({ examples: [null] }),
      product_id: owner.meta({ examples: [null] }),
      scanned_at: field.timestamp,
      user_agent: text('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15'),
      device: z.object({ type: text('mobile'), os: text('iOS'), browser: text('Safari') }),
      is_bot: z.boolean().meta({
        description:
          'True for a crawler, a link preview or another program. Such scans are stored but not counted in `total_scans`.',
        examples: [false],
      }),
      destination: z
        .object({
          type: text('url'),
          id: field.id.nullable().meta({ examples: [null] }),
          url: text('https://acme.com/care'),
        })
        .describe('The destination at the time of the scan. All null when there was none.'),
      decision: z
        .object({
          reason: choice({
            rule: 'A rule matched.',
            split: 'A rule matched, and chose one of its variants.',
            default: 'No rule matched, or there was none, so that the destination counted.',
            paused: 'It was turned off.',
            not_set_up: 'There was no destination.',
          })
            .nullable()
            .describe('Null for scans without a destination before there were reasons.')
            .meta({ examples: ['rule'] }),
          rule_id: z
            .string()
            .nullable()
            .meta({ maxLength: 50, examples: ['lunch'] }),
          rules_version: z
            .int()
            .nullable()
            .meta({ examples: [3] })
            .describe('The version of the rules that decided.'),
          variant: z
            .string()
            .nullable()
            .meta({ maxLength: 20, examples: ['a'] }),
          version: z
            .int()
            .meta({ examples: [1] })
            .describe('The version in the history of the code, object or product.'),
        })
        .describe('Why the scan went there.'),
      query_params: z
        .record(z.string(), z.string().meta({ examples: ['poster'] }))
        .nullable()
        .meta({ description: 'The query parameters of the scanned URL.', examples: [{ utm_source: 'poster' }] }),
      location: z
        .object({ country: text('DE'), region: text('Berlin'), city: text('Berlin') })
        .describe('Approximate location, if the installation can determine it. IP addresses are not stored.'),
      gs1: z
        .object({ cpv: text('2A'), lot: text('L-2026-11'), serial: text('S0042') })
        .describe('The qualifiers of a GS1 Digital Link: consumer product variant, lot and serial number.'),
      referrer: text('https://example.com/'),
    })
    .meta({ id: 'Scan', description: 'One scan of a QR code, an object or a product.' }),
)
export type Scan = z.infer<typeof Scan>

export const ScanQuery = cursorQuery({
  from: field.timestamp.optional().describe('Only scans at or after this time.'),
  to: field.timestamp.optional().describe('Only scans before this time.'),
})

/** The operation that lists the scans of one kind of target. */
export const scanOperations = <Base extends `/${string}`, Params extends object>(
  base: Base,
  owner: string,
  params: Params,
) =>
  ({
    listScans: {
      method: 'GET',
      path: `${base}/{id}/scans`,
      summary: `List the scans of ${owner}`,
      description: 'Newest first. Scans by programs are included, with `is_bot` set.',
      ...params,
      query: ScanQuery,
      cursor: Scan,
      hasOutsideText: true,
    },
  }) as const

export const scans = operations(
  {
    name: 'scans',
    title: 'Scans',
    about: 'Every scan of your QR codes, objects and products.',
    area: 'analytics',
  },
  {
    list: {
      method: 'GET',
      path: '/scans',
      summary: 'List scans',
      description: 'All scans of your organisation, newest first.',
      query: ScanQuery,
      cursor: Scan,
      hasOutsideText: true,
    },
  },
)
