import { z } from 'zod'
import { choice, field, operations } from '../../../platform/contract/index.ts'
import { ImaginedScan } from '../decisions/contract.ts'
import { RulesInput } from '../rules/contract.ts'

const TARGETS = ['address', 'qr_code_id', 'object_id', 'product_id'] as const

const target = field.id.optional()

export const SimulationRequest = ImaginedScan.extend({
  address: field
    .text(1, 2048)
    .optional()
    .describe('The scanned address, complete or from its path on, with a query if it has one.')
    .meta({ examples: ['https://go.acme.com/aB3dE5gH?via=nfc'] }),
  qr_code_id: target,
  object_id: target,
  product_id: target,
  link_type: field
    .text(1, 200)
    .optional()
    .describe('The type of link that an app asks a GS1 Digital Link for.')
    .meta({ examples: ['gs1:instructions'] }),
  accept: field
    .text(1, 200)
    .optional()
    .describe('The media types that a client of a GS1 Digital Link accepts.')
    .meta({ examples: ['text/html'] }),
  draft_rules: RulesInput.optional().describe(
    'Rules that are not saved. They replace those that the code, object or product has of its own.',
  ),
})
  .superRefine((sent, context) => {
    if (TARGETS.filter((name) => sent[name] !== undefined).length !== 1)
      context.addIssue({ code: 'custom', message: `Must have one of ${TARGETS.join(', ')}` })
  })
  .meta({ id: 'SimulationRequest' })
export type SimulationRequest = z.output<typeof SimulationRequest>

const text = (example: string) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] })

const TriedCondition = z.object({
  condition: z.string().meta({ description: 'Where it is in the rule.', examples: ['when.all[0].weekday'] }),
  kind: z.string().meta({ examples: ['weekday'] }),
  result: choice({ true: 'It holds.', false: 'It does not hold.', unknown: 'Nobody knows.' }),
  saw: text('mon').describe('The value that it saw. Null if it is unknown, or if there is none.'),
  sentence: z.string().meta({ examples: ['It was Monday, and the condition asks for Monday or Tuesday.'] }),
})

const TriedRule = z.object({
  rule_id: z.string().meta({ examples: ['lunch'] }),
  rule_name: z.string().meta({ examples: ['Lunch menu'] }),
  active: z.boolean(),
  result: choice({
    true: 'It matched.',
    false: 'It did not match.',
    unknown: 'It did not match, because something is unknown.',
    not_tried: 'An earlier rule matched.',
    off: 'It is not active.',
  }),
  conditions: z.array(TriedCondition),
  sentence: z.string().meta({ examples: ['It was 12:10 in Berlin on Monday, so *Lunch menu* matched.'] }),
})

export const Simulation = z
  .object({
    object: z.literal('simulation'),
    qr_code_id: field.id.nullable(),
    object_id: field.id.nullable().meta({ examples: [null] }),
    product_id: field.id.nullable().meta({ examples: [null] }),
    at: field.timestamp,
    version: z.int().meta({ description: 'The version in the history that decided.', examples: [1] }),
    reason: choice({
      rule: 'A rule matched.',
      split: 'A rule matched, and chose one of its variants.',
      link: 'A link of the product was chosen.',
      default: 'No rule matched, or there was none, so that the destination counts.',
      paused: 'It is turned off.',
      not_set_up: 'There is no destination.',
      gone: 'It was deleted.',
      no_link: 'The product has no link of this type.',
    }).meta({ examples: ['rule'] }),
    destination: z
      .object({
        type: text('url'),
        id: field.id.nullable().meta({ examples: [null] }),
        url: text('https://acme.com/lunch'),
      })
      .describe('Where the visitor would be led. All null if a notice would be shown.'),
    location: text('https://acme.com/lunch?utm_source=table').describe('The complete address, with URL params.'),
    rule_id: text('lunch'),
    rules_version: z
      .int()
      .nullable()
      .meta({ examples: [3] }),
    variant: text('a'),
    link: z
      .object({
        link_type: z.string().meta({ examples: ['gs1:instructions'] }),
        title: z.string().meta({ examples: ['Care guide'] }),
        language: text('de'),
        media_type: text('text/html'),
        lot: text('L-2026-11'),
        serial: text('S0042'),
      })
      .nullable()
      .describe('The link that was chosen, of a product.'),
    steps: z.array(TriedRule).describe('Every rule in order, with every condition that was tried.'),
    sentence: z.string().meta({
      description: 'Why, in words.',
      examples: ['It was 12:10 in Berlin on Monday, so *Lunch menu* matched.'],
    }),
  })
  .meta({ id: 'Simulation', description: 'Where a scan would lead, and why.' })
export type Simulation = z.infer<typeof Simulation>

export const simulations = operations(
  {
    name: 'decisions',
    title: 'Decisions',
    about:
      'Find out where a scan would lead before anybody scans: who, when, where, with the rules as they are, as they were on a day in the past, or as you are about to write them.',
    area: 'qr',
  },
  {
    simulate: {
      method: 'POST',
      path: '/simulate',
      summary: 'Simulate a scan',
      description:
        'Says where it would lead, and why: every rule and every condition, with the value that it saw. A time in the past uses the version and the clock of then; with `draft_rules`, only the clock. Nothing is recorded.',
      body: SimulationRequest,
      ok: Simulation,
      errors: ['unprocessable'],
      isRead: true,
      example: (n: number) => ({
        address: `/aB3dE5g${n % 10}`,
        at: '2026-11-16T12:10:00+01:00',
        language: 'de',
      }),
    },
  },
)
