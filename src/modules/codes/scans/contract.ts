import { z } from 'zod'
import { cursorQuery, field, operations } from '../../../platform/contract/index.ts'

const text = (example: string) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] })
const owner = field.id.nullable()

/** Somebody, or some program, scanned something. */
export const Scan = z
  .object({
    object: z.literal('scan'),
    id: field.id,
    qr_code_id: owner,
    object_id: owner.meta({ examples: [null] }),
    product_id: owner.meta({ examples: [null] }),
    scanned_at: field.timestamp,
    user_agent: text('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15'),
    device: z.object({ type: text('mobile'), os: text('iOS'), browser: text('Safari') }),
    is_bot: z.boolean().meta({
      description: 'A crawler, a link preview or another program. Those are kept, and not counted in `total_scans`.',
      examples: [false],
    }),
    destination: z
      .object({
        type: text('url'),
        id: field.id.nullable().meta({ examples: [null] }),
        url: text('https://acme.com/care'),
      })
      .describe('Where it led at that moment; all null when it led nowhere.'),
    query_params: z
      .record(z.string(), z.string().meta({ examples: ['poster'] }))
      .nullable()
      .meta({ description: 'What the visitor brought in the address.', examples: [{ utm_source: 'poster' }] }),
    location: z
      .object({ country: text('DE'), region: text('Berlin'), city: text('Berlin') })
      .describe('Roughly where, when the installation can tell. No address is kept.'),
    gs1: z
      .object({ cpv: text('2A'), lot: text('L-2026-11'), serial: text('S0042') })
      .describe('What a GS1 Digital Link told beside the product.'),
    referrer: text('https://example.com/'),
  })
  .meta({ id: 'Scan', description: 'One scan of a code, an object or a product.' })
export type Scan = z.infer<typeof Scan>

export const ScanQuery = cursorQuery({
  from: field.timestamp.optional().describe('Only scans at or after this moment.'),
  to: field.timestamp.optional().describe('Only scans before this moment.'),
})

/** The list of scans of something that is scanned. */
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
      description: 'Newest first. Scans by programs are listed too, with `is_bot`.',
      ...params,
      query: ScanQuery,
      cursor: Scan,
    },
  }) as const

export const scans = operations(
  {
    name: 'scans',
    title: 'Scans',
    about: 'Every scan of your codes, objects and products, as it happened.',
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
    },
  },
)
