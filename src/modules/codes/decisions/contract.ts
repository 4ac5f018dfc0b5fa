import { z } from 'zod'
import { CountryCode } from '../../../platform/contract/country-code.ts'
import { HostName } from '../../../platform/contract/host-name.ts'
import { choice, field } from '../../../platform/contract/index.ts'
import {
  type Condition,
  conditionsIn,
  Lot,
  NestedCondition,
  OperatingSystem,
  Region,
  Serial,
  Via,
} from './conditions/contract.ts'

export { Condition } from './conditions/contract.ts'

const RULES_MAX = 50
/** A scan may have to try all of them. */
const CONDITIONS_MAX = 500
const VARIANTS_MIN = 2
const VARIANTS_MAX = 20
const WEIGHT_MAX = 1000

const key = (max: number, example: string) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,${max - 1}}$`), {
      error: `Must be 1 to ${max} letters, digits, _ or -, and begin with a letter or digit`,
    })
    .meta({ maxLength: max, examples: [example] })

const variantsOf = <Destination extends z.ZodType>(destination: Destination) =>
  z
    .array(
      z.strictObject({
        key: key(20, 'a').describe('Names the variant in scans.'),
        weight: z
          .int()
          .min(0)
          .max(WEIGHT_MAX)
          .meta({
            description: 'How many visitors get this variant, in proportion to the other weights.',
            examples: [70],
          }),
        destination,
      }),
    )
    .min(VARIANTS_MIN)
    .max(VARIANTS_MAX)
    .superRefine((variants, context) => {
      if (variants.every(({ weight }) => weight === 0)) {
        context.addIssue({ code: 'custom', message: 'Must have a weight above 0' })
      }
      refuseRepeated(
        variants.map((variant) => variant.key),
        'key',
        context,
      )
    })

/** A rule, with destinations in the form of a request, a response or a row. */
const ruleOf = <Destination extends z.ZodType>(destination: Destination) =>
  z.strictObject({
    id: key(50, 'lunch').describe('Names the rule in scans and examples. Keep it when you change the rule.'),
    name: field.name(100).meta({ examples: ['Lunch menu'] }),
    active: z.boolean().default(true).describe('Rules that are turned off are not tried.'),
    when: NestedCondition,
    then: z.union(
      [
        z.strictObject({ destination }),
        z.strictObject({
          split: variantsOf(destination).describe('Several destinations. A visitor gets the same one for a day.'),
        }),
      ],
      { error: 'Must have either destination or split' },
    ),
  })

export const rulesOf = <Destination extends z.ZodType>(destination: Destination) =>
  z
    .array(ruleOf(destination))
    .max(RULES_MAX)
    .superRefine((rules: readonly { id: string; when: Condition }[], context) => {
      refuseRepeated(
        rules.map(({ id }) => id),
        'id',
        context,
      )
      const count = rules.reduce((sum, { when }) => sum + conditionsIn(when), 0)
      if (count <= CONDITIONS_MAX) return
      context.addIssue({
        code: 'custom',
        message: `Must have at most ${CONDITIONS_MAX} conditions in all, not ${count}`,
      })
    })
    .describe('Tried in this order. The first active rule whose condition holds decides.')

function refuseRepeated(keys: readonly string[], name: 'id' | 'key', context: z.core.$RefinementCtx): void {
  for (const [at, key] of keys.entries()) {
    if (keys.indexOf(key) === at) continue
    context.addIssue({ code: 'custom', path: [at, name], message: `Is the ${name} of an earlier one, too` })
  }
}

/** What is known about a scan that did not happen. Anything left out is unknown, or absent from the scanned address. */
export const ImaginedScan = z.strictObject({
  at: field.timestamp.optional().describe('The time of the scan. Now by default.'),
  language: field
    .text(1, 200)
    .optional()
    .describe('The language of the browser, as a tag such as de or an `Accept-Language` header.')
    .meta({ examples: ['de'] }),
  device: choice({ mobile: 'A phone.', tablet: 'A tablet.', desktop: 'A computer.', tv: 'A television.' }).optional(),
  os: OperatingSystem.optional().describe('The operating system.'),
  country: CountryCode.optional(),
  region: Region.optional().describe('The English name of a state or province.'),
  query: z
    .record(z.string(), z.string().meta({ examples: ['7'] }))
    .optional()
    .meta({ description: 'The parameters of the scanned address.', examples: [{ table: '7' }] }),
  via: Via.optional().describe('`print` by default.'),
  domain: HostName.optional(),
  lot: Lot.optional().describe('The lot of a GS1 Digital Link.'),
  serial: Serial.optional().describe('The serial number of a GS1 Digital Link.'),
  scan_number: z
    .int()
    .min(1)
    .optional()
    .describe('Which scan it is, of the code and of its object.')
    .meta({ examples: [1] }),
  properties: z
    .record(z.string(), z.string().meta({ examples: ['Oak'] }))
    .optional()
    .meta({ description: 'Properties of the scanned thing, instead of its own.', examples: [{ material: 'Oak' }] }),
  visitor: field
    .text(1, 50)
    .optional()
    .describe('Any text. Visitors with different texts may get different variants of a split.')
    .meta({ examples: ['visitor-1'] }),
})
export type ImaginedScan = z.infer<typeof ImaginedScan>

const EXAMPLES_MAX = 50

/** A test that a document contains. */
export const RuleExample = z.strictObject({
  name: field.name(100).meta({ examples: ['Monday noon in Berlin'] }),
  facts: ImaginedScan,
  expect: z
    .string()
    .nullable()
    .describe('The id of the rule that decides. Null if none matches.')
    .meta({ examples: ['lunch'] }),
})
export type RuleExample = z.infer<typeof RuleExample>

export const RuleExamples = z
  .array(RuleExample)
  .max(EXAMPLES_MAX)
  .describe('Tried before the document is saved. If one comes out in another way, the document is refused.')
