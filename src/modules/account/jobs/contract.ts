import { z } from 'zod'
import { choice, cursorQuery, field, operations } from '../../../platform/contract/index.ts'
import { Actor } from '../audit-log/contract.ts'

const JobKind = choice({
  destination_change: 'Changes where many codes, groups, objects and products lead.',
  destination_change_undo: 'Takes a change of destinations back.',
}).meta({ examples: ['destination_change'] })
export type JobKindName = z.infer<typeof JobKind>

const JobStatus = choice({
  queued: 'It waits for its turn. The jobs of an organisation run one after the other.',
  running: 'It is being carried out.',
  completed: 'It has gone through everything. `progress.failed` says how much could not be done.',
  cancelled: 'Somebody cancelled it. What it had done before stays.',
  failed: 'It was stopped because of `error`. What it had done before stays.',
}).meta({ examples: ['completed'] })

const count = (description: string, example: number) => z.int().meta({ description, examples: [example] })

export const JOB_ERROR_LENGTH_MAX = 500

const JobError = z.object({
  error: field.text(1, 100).meta({ description: 'An error code.', examples: ['forbidden'] }),
  message: field.text(1, JOB_ERROR_LENGTH_MAX).meta({ examples: ['The API key that asked for this job was revoked.'] }),
})

export const Job = z
  .object({
    object: z.literal('job'),
    id: field.id,
    kind: JobKind,
    status: JobStatus,
    progress: z.object({
      total: count('How many things it is about. Exact when it is completed; before that, as many as were found.', 300),
      done: count('How many of them it has gone through, with any result.', 300),
      failed: count('How many of those could not be done because of an error.', 0),
    }),
    error: JobError.nullable().meta({ description: 'Why it `failed`. Null otherwise.', examples: [null] }),
    created_by: Actor.describe('Who asked for it.'),
    created_at: field.timestamp,
    started_at: field.timestamp.nullable().describe('Null while it waits for its turn.'),
    finished_at: field.timestamp.nullable().describe('Null while it waits or runs.'),
  })
  .meta({ id: 'Job', description: 'Long work that is carried out in the background, in small steps.' })
export type Job = z.infer<typeof Job>

const JobResult = choice({
  changed: 'It was changed.',
  unchanged: 'It was already so.',
  skipped: 'It was left alone; see `reason`.',
  failed: 'It could not be done; see `error`.',
}).meta({ examples: ['changed'] })

const SkipReason = choice({
  changed_since: 'It was changed again since, so the change is not taken back.',
  destination_missing: 'The destination does not exist any more.',
  deleted: 'It was deleted.',
}).meta({ examples: ['changed_since'] })

export const JobItem = z
  .object({
    object: z.literal('job_item'),
    id: field.id,
    target: z.object({
      kind: field.text(1, 50).meta({ description: 'The `object` of the resource.', examples: ['qr_code'] }),
      id: field.id,
    }),
    name: field
      .text(0, 200)
      .nullable()
      .meta({ description: 'The name that it had then.', examples: ['Front door'] }),
    result: JobResult,
    reason: SkipReason.nullable().meta({ description: 'Null unless `result` is `skipped`.', examples: [null] }),
    error: JobError.nullable().meta({ description: 'Null unless `result` is `failed`.', examples: [null] }),
    created_at: field.timestamp,
  })
  .meta({ id: 'JobItem', description: 'What became of one of the things that a job is about.' })
export type JobItem = z.infer<typeof JobItem>

export const jobs = operations(
  {
    name: 'jobs',
    title: 'Jobs',
    about:
      'Long work that other operations begin, with its progress and a result for each thing that it is about. Any credential may read jobs, but sees only those about areas that it may view. Jobs are kept for 31 days.',
    area: null,
  },
  {
    list: {
      method: 'GET',
      path: '/jobs',
      summary: 'List jobs',
      description: 'Newest first. A credential without `<area>.view` for all areas of a job does not see it.',
      query: cursorQuery({
        kind: JobKind.optional().describe('Only jobs of this kind.'),
        status: JobStatus.optional().describe('Only jobs with this status.'),
      }),
      cursor: Job,
    },
    get: { method: 'GET', path: '/jobs/{id}', summary: 'Get a job', ok: Job },
    listItems: {
      method: 'GET',
      path: '/jobs/{id}/items',
      summary: 'List the items of a job',
      description: 'What became of each thing, the one that was done last first. Grows while the job runs.',
      query: cursorQuery({ result: JobResult.optional().describe('Only items with this result.') }),
      cursor: JobItem,
    },
    cancel: {
      method: 'POST',
      path: '/jobs/{id}/cancel',
      summary: 'Cancel a job',
      description:
        'It stops before its next step. What it has done stays. Needs `<area>.manage` for all areas of the job. A job that is finished is 409.',
      ok: Job,
      errors: ['conflict', 'forbidden'],
    },
  },
)
