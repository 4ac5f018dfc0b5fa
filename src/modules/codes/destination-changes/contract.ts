import { z } from 'zod'
import { choice, field, operations } from '../../../platform/contract/index.ts'
import { Destination, DestinationInput, Status } from '../destinations/contract.ts'
import { TaggedObject } from '../objects/contract.ts'

const IDS_MAX = 1000
const SHOWN_MAX = 100
export const UNDO_DAYS = 30

export const OwnerKind = choice({
  qr_code: 'A QR code.',
  qr_group: 'A QR group, which also decides for its codes without a destination of their own.',
  object: 'An object.',
  product: 'A product. Its links stay as they are.',
}).meta({ examples: ['qr_code'] })
export type OwnerKind = z.infer<typeof OwnerKind>

/** The kinds that can match a filter. Those that are not here match all kinds. */
const KINDS_WITH: Readonly<Record<'group_id' | 'type' | 'status', readonly OwnerKind[]>> = {
  group_id: ['qr_code'],
  type: ['object'],
  status: ['qr_code', 'qr_group', 'product'],
}
type KindFilter = keyof typeof KINDS_WITH
type KindFilters = { kinds?: OwnerKind[] | undefined } & { [Name in KindFilter]?: unknown }

const givenIn = (filter: KindFilters): KindFilter[] =>
  (Object.keys(KINDS_WITH) as KindFilter[]).filter((name) => filter[name] !== undefined)

/** The kinds that a filter can match, in the order in which they are gone through. */
export const kindsOf = (filter: KindFilters): OwnerKind[] =>
  OwnerKind.options.filter(
    (kind) =>
      (filter.kinds ?? OwnerKind.options).includes(kind) &&
      givenIn(filter).every((name) => KINDS_WITH[name].includes(kind)),
  )

const Filter = z
  .strictObject({
    kinds: z
      .array(OwnerKind)
      .min(1, { error: 'Must have at least one kind' })
      .max(OwnerKind.options.length)
      .optional()
      .describe('Only these kinds. By default all that the other filters can match.'),
    group_id: field.id.optional().describe('Only QR codes in this group.'),
    type: TaggedObject.shape.type.optional().describe('Only objects of this type.'),
    status: Status.optional().describe('Only QR codes, QR groups and products with this status. Objects have none.'),
    ids: z
      .array(field.id)
      .min(1, { error: 'Must have at least one id' })
      .max(IDS_MAX, { error: `Must have at most ${IDS_MAX} ids` })
      .optional()
      .describe(
        `Only those with one of these ids, at most ${IDS_MAX}. Ids that your organisation does not have match nothing.`,
      ),
    url_starts_with: field.webUrl
      .optional()
      .describe('Only those that lead to a web address which begins like this.')
      .meta({ examples: ['https://old.acme.com/manuals/'] }),
  })
  .superRefine((filter, context) => {
    const given = givenIn(filter)
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
    if (kindsOf({ ...filter, kinds: undefined }).length === 0)
      refuse(`Must not have ${given.join(' and ')} together: nothing matches all of them`)
    for (const name of given) {
      const unfit = filter.kinds?.find((kind) => !KINDS_WITH[name].includes(kind))
      if (unfit !== undefined) refuse(`Must not have ${unfit} together with ${name}`, 'kinds')
    }
  })

export const DestinationChangeCreate = z
  .strictObject({
    from: DestinationInput.optional().describe('Only what leads there now. A URL has to be the whole URL.'),
    filter: Filter.optional().meta({
      description: 'Only what matches all of these.',
      examples: [{ kinds: ['qr_code', 'qr_group'] }],
    }),
    to: DestinationInput.describe('Where they lead then. Null removes the destination.'),
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to change nothing, and only say what would be changed.', examples: [true] }),
  })
  .superRefine(({ from, filter = {} }, context) => {
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
    if (from === null) refuse('Must name a destination. To find what has none, use filter.status=unconfigured', 'from')
    const hasFilter = Object.values(filter).some((value) => value !== undefined)
    if (from === undefined && !hasFilter) refuse('Must have from, or a filter that is not empty')
  })
  .meta({ id: 'DestinationChangeCreate' })
export type DestinationChangeCreate = z.output<typeof DestinationChangeCreate>

const count = (description: string) => z.int().meta({ description, examples: [300] })

export const DestinationChange = z
  .object({
    object: z.literal('destination_change'),
    dry_run: z.boolean().meta({ description: 'Whether nothing is changed.', examples: [true] }),
    count: count(
      'How many lead to another destination then. While others change them, the job can find more or fewer.',
    ),
    truncated: z
      .boolean()
      .meta({ description: `Whether there are more than the first ${SHOWN_MAX}.`, examples: [true] }),
    data: z
      .array(
        z.object({
          kind: OwnerKind,
          id: field.id,
          name: field.name(200).nullable(),
          destination: Destination.describe('Where it leads now.'),
        }),
      )
      .describe(`Only of a dry run: the first ${SHOWN_MAX} of them.`),
    undo_id: field.id
      .nullable()
      .describe(`With this id, the change can be undone for ${UNDO_DAYS} days. Null for a dry run and for an undo.`),
    job_id: field.id.nullable().describe('The job that makes the change. Null for a dry run.'),
  })
  .meta({ id: 'DestinationChange', description: 'A change of where many things lead, or what it would change.' })
export type DestinationChange = z.infer<typeof DestinationChange>

export const destinationChanges = operations(
  {
    name: 'destinations',
    title: 'Destinations',
    about:
      'Change where thousands of QR codes, QR groups, objects and products lead at once: look first, then change, and undo it for 30 days. The links of products stay as they are.',
    area: 'qr',
  },
  {
    change: {
      method: 'POST',
      path: '/destinations/change',
      summary: 'Change many destinations',
      description:
        'A job changes everything that leads to `from` and matches `filter`, with the same effects as a PATCH of each: the next scan uses the change, and each is an event. With `dry_run`, nothing is changed. Also needs `objects.manage` and `products.manage`, unless `filter` leaves them out. With 5 unfinished jobs, your organisation gets 422.',
      body: DestinationChangeCreate,
      ok: DestinationChange,
      errors: ['unprocessable'],
      example: (n) => ({
        from: { url: `https://old.acme.com/manuals/${n}` },
        filter: { kinds: ['qr_code', 'qr_group'] },
        to: { url: 'https://acme.com/manuals' },
        dry_run: true,
      }),
    },
    undoChange: {
      method: 'POST',
      path: '/destinations/change/{undo_id}/undo',
      summary: 'Undo a change of many destinations',
      description:
        'A job gives back what the change has replaced, as far as it went. What leads somewhere else by now is left alone: the items of the job name it. 409 while the change is running, and once it was undone; 410 after 30 days.',
      ok: DestinationChange,
      errors: ['conflict', 'gone', 'unprocessable'],
    },
  },
)
