import { z } from 'zod'
import { field, recorded } from '../../../platform/contract/index.ts'
import { type RuleExample, RuleExamples, rulesOf } from '../decisions/contract.ts'
import { Destination, DestinationInput, type DestinationRef } from '../destinations/contract.ts'

const DOCUMENT_BYTES_MAX = 32 * 1024

const RuleDestination = DestinationInput.refine((destination) => destination !== null, {
  error: 'Must have a destination',
})

const RuleListInput = rulesOf(RuleDestination)
const RuleList = rulesOf(Destination)
export type RuleList = z.output<typeof RuleList>

type InputRule = z.output<typeof RuleListInput>[number]

/** Where a rule leads, in its stored form. */
export type StoredOutcome =
  | { destination: DestinationRef }
  | { split: { key: string; weight: number; destination: DestinationRef }[] }

/** A document of rules as it is stored. */
export interface StoredRulesDocument {
  time_zone: string
  rules: (Omit<InputRule, 'then'> & { then: StoredOutcome })[]
  examples: RuleExample[]
}

export const RulesInput = z
  .strictObject({
    time_zone: field.timeZone
      .optional()
      .describe('For days and times of the day. Defaults to that of your organisation.'),
    rules: RuleListInput,
    examples: RuleExamples.default([]),
  })
  .superRefine(({ rules, examples }, context) => {
    const ids = new Set(rules.map(({ id }) => id))
    for (const [at, { expect }] of examples.entries())
      if (expect !== null && !ids.has(expect))
        context.addIssue({
          code: 'custom',
          path: ['examples', at, 'expect'],
          message: 'Must be the id of a rule of this document, or null',
        })
    const bytes = Buffer.byteLength(JSON.stringify({ rules, examples }))
    if (bytes > DOCUMENT_BYTES_MAX)
      context.addIssue({ code: 'custom', message: `Must have at most 32 KiB, but has ${Math.ceil(bytes / 1024)}` })
  })
  .meta({ id: 'RulesInput' })
export type RulesInput = z.output<typeof RulesInput>

export const RuleWarning = z
  .object({
    code: z.string().meta({ description: 'What kind of problem it is.', examples: ['never_reached'] }),
    rule_id: z
      .string()
      .nullable()
      .meta({ examples: ['lunch'] }),
    message: z.string().meta({ examples: ['The rule before it always matches, so this one is never reached.'] }),
  })
  .meta({ id: 'RuleWarning', description: 'Something that is allowed, but probably a mistake.' })
export type RuleWarning = z.infer<typeof RuleWarning>

const documentFields = { time_zone: field.timeZone, rules: RuleList, examples: RuleExamples }

/** What a version keeps of the rules. */
export const KeptRules = z.object(documentFields).meta({ id: 'KeptRules', description: 'The rules of a version.' })

export const Rules = z
  .object({
    object: z.literal('rules'),
    version: recorded(
      z
        .int()
        .nullable()
        .meta({ description: 'Rises with every change. Scans name it. Null if there are no rules.', examples: [3] }),
    ),
    ...documentFields,
    warnings: z.array(RuleWarning),
    updated_at: field.timestamp.nullable().describe('Null if there are no rules.'),
  })
  .meta({ id: 'Rules', description: 'Decides where a scan leads, by who scans, when and where.' })
export type Rules = z.infer<typeof Rules>

/** A field of everything that can have rules. What is scheduled becomes effective before it is read. */
export const hasRules = recorded(
  z.boolean().meta({
    description: 'Whether it has rules of its own, which decide where scans lead: `GET …/rules`.',
    examples: [false],
  }),
)

/** The operations on the rules of one kind of owner. */
export const ruleOperations = <Base extends `/${string}`, Params extends object>(
  base: Base,
  owner: string,
  params: Params,
) =>
  ({
    getRules: {
      method: 'GET',
      path: `${base}/{id}/rules`,
      summary: `Get the rules of ${owner}`,
      ...params,
      ok: Rules,
    },
    replaceRules: {
      method: 'PUT',
      path: `${base}/{id}/rules`,
      summary: `Replace the rules of ${owner}`,
      description:
        'Send the whole document; an empty list of rules removes them. The examples run first: if one fails, nothing is saved, and the response is 422 and explains why. The next scan uses the new rules.',
      ...params,
      body: RulesInput,
      ok: Rules,
      errors: ['unprocessable'],
      example: (n: number) => ({
        time_zone: 'Europe/Berlin',
        rules: [
          {
            id: `lunch-${n}`,
            name: 'Lunch menu',
            when: { weekday: ['mon', 'tue', 'wed'], from: '11:00', to: '14:30' },
            then: { destination: { url: 'https://acme.com/lunch' } },
          },
        ],
        examples: [
          {
            name: 'Monday noon in Berlin',
            facts: { at: '2026-11-16T12:10:00+01:00' },
            expect: `lunch-${n}`,
          },
        ],
      }),
    },
  }) as const
