import { z } from 'zod'
import { choice, cursorQuery, field, operations, queryBoolean } from '../../../platform/contract/index.ts'
import { Destination } from '../../codes/destinations/contract.ts'
import { Scanned } from '../../codes/scanned-things/contract.ts'
import { Answer } from '../form/contract.ts'

const NOTES_LENGTH_MAX = 10_000
export const REPLY_LENGTH_MAX = 5000
/** A receipt shows all of them. */
export const REPLIES_MAX = 100

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
      too_fast: 'Several fields were answered faster than a person can, and nothing showed that it was a person.',
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
    scanned: Scanned.nullable().describe('The same thing with its name. Null if nothing was scanned.'),
    reply_count: z.int().meta({ description: 'How often your team has replied.', examples: [0] }),
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

export const SubmissionReply = z
  .object({
    object: z.literal('submission_reply'),
    id: field.id,
    submission_id: field.id,
    author_id: field.id
      .nullable()
      .meta({ description: 'The user who replied. Null for an API key.', examples: [null] }),
    text: field.text(0, REPLY_LENGTH_MAX).meta({
      description: 'Plain text. Empty in an event whose submission was erased.',
      examples: ['We have ordered a new seal. It arrives on Monday.'],
    }),
    mailed: z.boolean().meta({
      description:
        'Whether it was mailed to the visitor. False without an address, without a mail server, and when there were too many mails.',
      examples: [true],
    }),
    created_at: field.timestamp,
  })
  .meta({ id: 'SubmissionReply', description: 'What your team wrote to the visitor. It is shown on the receipt.' })
export type SubmissionReply = z.infer<typeof SubmissionReply>

export const SubmissionReplyCreate = z
  .strictObject({
    text: field
      .text(1, REPLY_LENGTH_MAX)
      .refine((text) => text.trim() !== '', { error: 'Must not be blank' })
      .meta({ examples: ['We have ordered a new seal. It arrives on Monday.'] }),
  })
  .meta({ id: 'SubmissionReplyCreate' })
export type SubmissionReplyCreate = z.output<typeof SubmissionReplyCreate>

const ActivityType = choice({
  created: 'The visitor sent it.',
  status_changed: 'The status changed from `from` to `to`.',
  priority_changed: 'The priority changed from `from` to `to`.',
  flagged: 'It was flagged.',
  unflagged: 'The flag was removed.',
  assigned: 'It was assigned to the user `to`.',
  unassigned: 'It is no longer assigned to anybody.',
  notes_updated: 'The notes changed.',
  replied: 'Your team replied to the visitor.',
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
const INCLUDE = {
  include: choice({ 'scanned.properties': 'The properties of the scanned thing, in `scanned.properties`.' })
    .optional()
    .describe('What to add to each submission.'),
}
export const ExportQuery = z.strictObject({ ...FILTERS, ...INCLUDE })

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
    query: cursorQuery({ ...FILTERS, ...INCLUDE }),
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
    query: z.strictObject(INCLUDE),
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
      'Removes the answers, files, notes, replies, activity and receipt of a submission for good, also from events and mails that wait to be sent. Only its number stays. Webhooks that were delivered and mails that were sent are not ours to erase.',
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
  listReplies: {
    method: 'GET',
    path: '/submissions/{id}/replies',
    summary: 'List the replies to a submission',
    description: 'Newest first.',
    query: cursorQuery({}),
    cursor: SubmissionReply,
  },
  createReply: {
    method: 'POST',
    path: '/submissions/{id}/replies',
    summary: 'Reply to a submission',
    description: `The visitor sees the reply on the receipt, and gets a mail with it if the form asked for an email address and they gave one. At most ${REPLIES_MAX} replies; a submission with the status \`spam\` takes none.`,
    body: SubmissionReplyCreate,
    created: SubmissionReply,
    errors: ['unprocessable'],
    example: (n) => ({ text: `We are working on it, step ${n}.` }),
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
