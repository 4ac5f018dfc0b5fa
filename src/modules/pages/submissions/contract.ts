import { z } from 'zod'
import { choice, cursorQuery, field, operations, queryBoolean } from '../../../platform/contract/index.ts'
import { Destination } from '../../codes/destinations/contract.ts'

const NOTES_LENGTH_MAX = 10_000

const SubmissionStatus = choice({
  new: 'Nobody has looked at it yet.',
  read: 'Somebody has read it.',
  in_progress: 'Somebody works on it.',
  resolved: 'Done.',
  spam: 'Suspected or marked as spam.',
}).meta({ examples: ['new'] })
const Priority = choice({
  none: 'No priority was set.',
  low: 'Can wait.',
  medium: 'In its turn.',
  high: 'First.',
}).meta({ examples: ['none'] })

const SubmittedFile = z
  .object({
    file_id: field.id,
    file_name: z.string().meta({ examples: ['crack.jpg'] }),
    media_type: z.string().meta({ examples: ['image/jpeg'] }),
    size_bytes: z.int().meta({ examples: [482_113] }),
  })
  .meta({ id: 'SubmittedFile', description: 'A file that a visitor sent.' })

const Answer = z
  .object({
    type: z.string().meta({ description: 'The type of the block.', examples: ['form_textarea'] }),
    label: z.string().meta({ description: 'In the language that the visitor saw.', examples: ['What happened?'] }),
    value: z
      .union([
        z.string().meta({ examples: ['The door does not close.'] }),
        z.number(),
        z.boolean(),
        z.array(z.string().meta({ examples: ['noise'] })),
        z.array(SubmittedFile),
      ])
      .nullable()
      .meta({
        description:
          'A number for `form_number` and `form_rating`, a boolean for `form_switch`, a list of values for `form_checkbox`, a list of files for `form_media`, and a text for all others. Null if the visitor left it empty.',
        examples: ['The door does not close.'],
      }),
    order: z.int().meta({ description: 'The position of the block on the page.', examples: [1] }),
  })
  .meta({ id: 'SubmittedAnswer' })

const userId = field.id.nullable().meta({ examples: [null] })
const scanned = field.id.nullable().meta({ examples: [null] })

export const Submission = z
  .object({
    object: z.literal('submission'),
    id: field.id,
    page_id: field.id,
    submission_number: z.int().meta({
      description: 'Counts the submissions of a page from 1, without gaps.',
      examples: [42],
    }),
    status: SubmissionStatus,
    priority: Priority,
    flagged: z.boolean().meta({ examples: [false] }),
    assignee_id: userId.describe('The user who takes care of it.'),
    resolved_by: userId.describe('The user who set the status to `resolved`. Null if an API key did.'),
    resolved_at: field.timestamp.nullable().meta({ examples: [null] }),
    notes: field
      .text(0, NOTES_LENGTH_MAX)
      .nullable()
      .meta({
        description: 'Notes of your team. Visitors do not see them.',
        examples: [null],
      }),
    data: z.record(z.string(), Answer).describe('The answers by the id of their block.'),
    metadata: z.record(z.string(), z.string().meta({ examples: ['newsletter'] })).meta({
      description: 'Parameters of the address that the visitor opened, such as `utm_source`.',
      examples: [{ utm_source: 'poster' }],
    }),
    destination: Destination.describe('The page, as a destination of a code.'),
    spam_reason: choice({
      honeypot: 'A field that people cannot see was filled in.',
      too_fast: 'The form was sent faster than a person can.',
      no_proof_of_work: 'The browser did not do the work that the page required.',
    })
      .nullable()
      .meta({
        description: 'Why it was stored as `spam`. Null if it was not.',
        examples: [null],
      }),
    viewed_at: field.timestamp.nullable().meta({
      description: 'When its status was changed for the first time.',
      examples: [null],
    }),
    duration_seconds: z
      .int()
      .nullable()
      .meta({
        description: 'How long the page was open before the visitor sent the form, if known.',
        examples: [95],
      }),
    qr_code_id: scanned.describe('The QR code that the visitor scanned.'),
    product_id: scanned.describe('The product that the visitor scanned.'),
    object_id: scanned.describe('The object that the visitor scanned.'),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Submission', description: 'What a visitor sent with the form of a page.' })
export type Submission = z.infer<typeof Submission>

export const SubmissionUpdate = z
  .strictObject({
    status: SubmissionStatus.optional(),
    priority: Priority.optional(),
    flagged: z.boolean().optional(),
    assignee_id: field.id.nullable().optional().describe('The user id of a member.'),
    notes: field.text(0, NOTES_LENGTH_MAX).nullable().optional(),
  })
  .meta({ id: 'SubmissionUpdate' })
export type SubmissionUpdate = z.output<typeof SubmissionUpdate>

const ActivityType = choice({
  created: 'The visitor sent it.',
  status_changed: 'The status changed from `from` to `to`.',
  priority_changed: 'The priority changed from `from` to `to`.',
  flagged: 'It was flagged.',
  unflagged: 'The flag was removed.',
  assigned: 'It was assigned to the user `to`.',
  unassigned: 'It is no longer assigned to anybody.',
  notes_updated: 'The notes changed.',
})
export type ActivityType = z.infer<typeof ActivityType>

export const SubmissionEvent = z
  .object({
    object: z.literal('submission_event'),
    id: field.id,
    submission_id: field.id,
    type: ActivityType.meta({ examples: ['status_changed'] }),
    actor_id: field.id.nullable().describe('The user who did it. Null for the visitor and for API keys.'),
    from: field
      .text(0, 40)
      .nullable()
      .meta({
        description: 'The status, the priority or the user id before. Null for others.',
        examples: ['new'],
      }),
    to: field
      .text(0, 40)
      .nullable()
      .meta({ description: 'The same, after.', examples: ['in_progress'] }),
    created_at: field.timestamp,
  })
  .meta({ id: 'SubmissionEvent', description: 'Something that happened to a submission.' })
export type SubmissionEvent = z.infer<typeof SubmissionEvent>

const FILTERS = {
  page_id: field.id.optional().describe('Only submissions of this page. It may be deleted.'),
  status: SubmissionStatus.optional().describe('Only submissions with this status.'),
  priority: Priority.optional().describe('Only submissions with this priority.'),
  flagged: queryBoolean().optional().describe('Only submissions that are flagged, or that are not.'),
  assignee_id: field.id.optional().describe('Only submissions that are assigned to this user.'),
  qr_code_id: field.id.optional().describe('Only submissions after a scan of this QR code.'),
  object_id: field.id.optional().describe('Only submissions after a scan of this object.'),
  product_id: field.id.optional().describe('Only submissions after a scan of this product.'),
  search: field.search.describe('Only submissions with this text in an answer or in the notes. Ignores case.'),
  from: field.timestamp.optional().describe('Only submissions at or after this time.'),
  to: field.timestamp.optional().describe('Only submissions before this time.'),
}
export const ExportQuery = z.strictObject(FILTERS)

const FAMILY = {
  name: 'submissions',
  title: 'Submissions',
  about:
    'What visitors send with the forms of your [pages](#tag/pages). Each belongs to a page and has a number there. Suspected spam is stored with the status `spam`, without an event.',
  area: 'submissions',
} as const

const EXPORT_DESCRIPTION =
  'All submissions that match, newest first. With `page_id`, each field of the form is a column. Otherwise the column `data` has the answers as JSON.'

export const submissions = operations(FAMILY, {
  list: {
    method: 'GET',
    path: '/submissions',
    summary: 'List submissions',
    description: 'Newest first. A page of long submissions has fewer than `limit` items: at most 1 MiB.',
    query: cursorQuery(FILTERS),
    cursor: Submission,
    hasOutsideText: true,
  },
  exportAsCsv: {
    method: 'GET',
    path: '/submissions/export.csv',
    summary: 'Export submissions as CSV',
    description: `${EXPORT_DESCRIPTION} UTF-8 with a byte order mark. A text that a spreadsheet would run as a formula begins with an apostrophe.`,
    query: ExportQuery,
    isAudited: true,
    download: ['text/csv'],
    hasOutsideText: true,
  },
  exportAsXlsx: {
    method: 'GET',
    path: '/submissions/export.xlsx',
    summary: 'Export submissions as an Excel workbook',
    description: `${EXPORT_DESCRIPTION} The newest 1,048,575, which is what a sheet can hold. Use \`from\` and \`to\` for more.`,
    query: ExportQuery,
    isAudited: true,
    download: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    hasOutsideText: true,
  },
  get: {
    method: 'GET',
    path: '/submissions/{id}',
    summary: 'Get a submission',
    ok: Submission,
    hasOutsideText: true,
  },
  update: {
    method: 'PATCH',
    path: '/submissions/{id}',
    summary: 'Change a submission',
    description:
      'The status `resolved` sets `resolved_by` and `resolved_at`; any other status clears them. The first change of the status sets `viewed_at`.',
    body: SubmissionUpdate,
    ok: Submission,
    errors: ['unprocessable'],
    example: (n) => ({ status: 'in_progress', priority: 'high', notes: `Call back, attempt ${n}.` }),
  },
  delete: {
    method: 'DELETE',
    path: '/submissions/{id}',
    summary: 'Erase a submission',
    description:
      'Removes the answers, files, notes and activity of a submission for good, also from events and mails that wait to be sent. Only its number stays. Webhooks that were delivered and mails that were sent are not ours to erase.',
    onlyInSession: true,
  },
  listEvents: {
    method: 'GET',
    path: '/submissions/{id}/events',
    summary: 'List the activity of a submission',
    description: 'Newest first.',
    query: cursorQuery({}),
    cursor: SubmissionEvent,
  },
  getFile: {
    method: 'GET',
    path: '/submissions/{id}/files/{file_id}',
    summary: 'Download a file of a submission',
    description: 'The ids of files are in `data`. Treat what visitors send with care.',
    download: ['*/*'],
    hasOutsideText: true,
  },
})
