import { z } from 'zod'
import { choice, field, offsetQuery, pathNumber, recorded } from '../../../platform/contract/index.ts'
import { Destination, DestinationArticleId, DestinationInput, Status } from '../destinations/contract.ts'
import { KeptRules, RulesInput } from '../rules/contract.ts'

/** What a version says about where its owner leads. */
const State = z.object({
  status: Status,
  destination: Destination,
  destination_article_id: DestinationArticleId,
  group_id: field.id
    .nullable()
    .describe('The QR group of a QR code. Null for others.')
    .meta({ examples: [null] }),
  object_id: field.id
    .nullable()
    .describe('The object that a QR code belongs to.')
    .meta({ examples: [null] }),
  rules_version: z
    .int()
    .nullable()
    .meta({ description: 'The version of its rules. Null if it had none.', examples: [2] }),
})

const Change = z.object({ from: z.unknown(), to: z.unknown() })

const versionFields = {
  object: z.literal('version'),
  version: z.int().meta({ description: 'Rises with every version. Scans name it.', examples: [3] }),
  status: recorded(
    choice({
      current: 'In effect.',
      past: 'Was in effect once.',
      scheduled: 'Becomes effective by itself at `effective_at`.',
    }).meta({ examples: ['current'] }),
  ),
  cause: choice({
    created: 'It was created with this version.',
    changed: 'A request changed it.',
    restored: 'An earlier version was restored.',
    scheduled: 'The change was scheduled.',
  }).meta({ examples: ['changed'] }),
  summary: z.string().meta({
    maxLength: 700,
    description: 'What changed, in words.',
    examples: ['The destination changed from https://acme.com/spring to https://acme.com/summer.'],
  }),
  changes: z
    .record(z.string(), Change)
    .nullable()
    .meta({
      description: 'Each field that changed. Null for the first version.',
      examples: [{ status: { from: 'active', to: 'inactive' } }],
    }),
  actor: z
    .object({
      type: choice({
        person: 'A person who was signed in.',
        api_key: 'A program with an API key.',
        application: 'An application that a person connected.',
        command_line: 'An operator, with the command line.',
        system: 'Waymark itself.',
      }),
      id: field.id.nullable(),
      name: z.string().meta({ maxLength: 254, examples: ['Label printer'] }),
    })
    .nullable()
    .describe('Who made the version. Null for the first one, which nobody changed.'),
  effective_at: field.timestamp.describe('When it became effective, or will.'),
  created_at: field.timestamp,
  state: State.describe(
    'Where it leads with this version. Of a scheduled version: if nothing else changes until then.',
  ),
}

const VersionSummary = z
  .object(versionFields)
  .meta({ id: 'VersionSummary', description: 'A version of where something leads.' })

export const Version = z
  .object({
    ...versionFields,
    rules: KeptRules.nullable().describe(
      'The rules of this version. Null if it had none, or if they are too old to be kept.',
    ),
  })
  .meta({ id: 'Version', description: 'A version of where something leads, with its rules.' })
export type Version = z.infer<typeof Version>
export type VersionSummary = z.infer<typeof VersionSummary>

export const VersionSchedule = z
  .strictObject({
    effective_at: field.timestamp.describe('A moment in the future, at most ten years from now.'),
    destination: DestinationInput.optional().describe('Where it leads from then on.'),
    status: Status.optional(),
    rules: RulesInput.nullable().optional().describe('Its rules from then on. Null removes them.'),
  })
  .superRefine(({ destination, status, rules }, context) => {
    if ([destination, status, rules].every((sent) => sent === undefined))
      context.addIssue({ code: 'custom', message: 'Must have destination, status or rules' })
  })
  .meta({ id: 'VersionSchedule' })
export type VersionSchedule = z.output<typeof VersionSchedule>

const HistoryQuery = offsetQuery({})

/** The operations on the versions of one kind of owner. */
export const historyOperations = <
  Base extends `/${string}`,
  Params extends { params?: Record<string, z.ZodType<string | number>> },
>(
  base: Base,
  owner: string,
  params: Params,
) => {
  const withVersion = {
    params: { ...params.params, version: pathNumber({ description: 'The number of the version, starting at 1.' }) },
  } as const
  return {
    listVersions: {
      method: 'GET',
      path: `${base}/{id}/history`,
      summary: `List the versions of ${owner}`,
      description:
        'Every change of where it leads: destination, rules, status, group and object. Newest first, scheduled ones before all others. The last 1,000 are kept.',
      ...params,
      query: HistoryQuery,
      offset: VersionSummary,
    },
    scheduleVersion: {
      method: 'POST',
      path: `${base}/{id}/history`,
      summary: `Schedule a version of ${owner}`,
      description:
        'It becomes effective by itself, exactly at its time. What you leave out stays as it is by then, and other changes leave it standing.',
      ...params,
      body: VersionSchedule,
      created: Version,
      errors: ['unprocessable'],
      example: (n: number) => ({
        effective_at: '2031-01-01T00:00:00+01:00',
        destination: { url: `https://acme.com/new-year-${n}` },
      }),
    },
    getVersion: {
      method: 'GET',
      path: `${base}/{id}/history/{version}`,
      summary: `Get a version of ${owner}`,
      ...withVersion,
      ok: Version,
    },
    restoreVersion: {
      method: 'POST',
      path: `${base}/{id}/history/{version}/restore`,
      summary: `Restore a version of ${owner}`,
      description:
        'Everything leads where it led then, as a new version. If something that it needs was deleted, the response is 422 and names it.',
      ...withVersion,
      ok: Version,
      errors: ['unprocessable'],
    },
    deleteVersion: {
      method: 'DELETE',
      path: `${base}/{id}/history/{version}`,
      summary: `Cancel a scheduled version of ${owner}`,
      description: 'Other versions cannot be deleted: the response is 422.',
      ...withVersion,
      errors: ['unprocessable'],
    },
  } as const
}
