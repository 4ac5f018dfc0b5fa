import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { type Block, isFormField, type Text, textIn } from '../../blocks/index.ts'
import type { SubmissionData } from '../../form/index.ts'
import { toText } from '../answer-texts.ts'
import type { Submission, SubmissionReply } from '../contract.ts'
import { type Filters, toSelection } from '../list-ranges.ts'
import { selectForm } from '../queries.ts'
import { selectRepliesOf } from '../replies/reply-queries.ts'
import { readPage } from '../service.ts'

/** A number stays one, so that a spreadsheet can calculate with it. */
export type Cell = string | number

/** A submission with what was replied, oldest first. */
type Exported = Submission & { replies: readonly Pick<SubmissionReply, 'text' | 'created_at'>[] }

interface Column {
  heading: string
  cell: (submission: Exported) => Cell
}

/** Enough that the time to find the next rows does not matter. A page of long submissions has fewer. */
const PAGE_ROWS = 500

const of = (name: keyof Submission & string): Column => ({
  heading: name,
  cell: (submission) => {
    const value = submission[name]
    return typeof value === 'number' ? value : String(value ?? '')
  },
})

const COMMON: readonly Column[] = [
  of('submission_number'),
  of('created_at'),
  of('id'),
  of('page_id'),
  of('status'),
  of('priority'),
  of('flagged'),
  of('assignee_id'),
  of('resolved_by'),
  of('resolved_at'),
  of('notes'),
  of('qr_code_id'),
  of('product_id'),
  of('object_id'),
  of('duration_seconds'),
  { heading: 'metadata', cell: ({ metadata }) => toJson(metadata) },
  { heading: 'scanned_external_id', cell: ({ scanned }) => scanned?.external_id ?? '' },
  { heading: 'scanned_name', cell: ({ scanned }) => scanned?.name ?? '' },
]

const PROPERTIES: Column = { heading: 'scanned_properties', cell: ({ scanned }) => toJson(scanned?.properties ?? {}) }

const REPLIES: Column = {
  heading: 'replies',
  cell: ({ replies }) => (replies.length === 0 ? '' : JSON.stringify(replies)),
}

const DATA: Column = { heading: 'data', cell: ({ data }) => toJson(data) }

const toJson = (record: object): string => (Object.keys(record).length === 0 ? '' : JSON.stringify(record))

/** Yields the headings and then the rows, a page at a time, so that an export of any length takes little memory. */
export async function* readTable(
  db: Db,
  orgId: OrgId,
  filters: Filters,
  { properties, rowsMax }: { properties: boolean; rowsMax: number },
): AsyncGenerator<Cell[][]> {
  const answers = await answerColumns(db, orgId, filters.page_id)
  const columns = [...COMMON, ...(properties ? [PROPERTIES] : []), REPLIES, ...answers]
  yield [columns.map(({ heading }) => heading)]
  const added = { properties, replies: true }
  const selection = toSelection(filters)
  const read = (after: Parameters<typeof readPage>[3], limit: number) =>
    readPage(db, orgId, selection, after, Math.min(PAGE_ROWS, limit), added)
  let page: ReturnType<typeof read> | undefined = read(undefined, rowsMax)
  for (let rows = 0; page !== undefined; ) {
    const { data, next }: Awaited<typeof page> = await page
    rows += data.length
    // The database reads the next page while this one is written and sent.
    page = next === null || rows >= rowsMax ? undefined : read(next, rowsMax - rows)
    // A failure is thrown when the page is needed. The client may take its time, or leave.
    page?.catch(() => {})
    if (data.length === 0) continue
    const exported = await withReplies(db, orgId, data)
    yield exported.map((submission) => columns.map(({ cell }) => cell(submission)))
  }
}

async function withReplies(db: Db, orgId: OrgId, data: readonly Submission[]): Promise<Exported[]> {
  const answered = data.filter(({ reply_count }) => reply_count > 0).map(({ id }) => id)
  const rows = answered.length === 0 ? [] : await selectRepliesOf(db, orgId, answered)
  const replies = Map.groupBy(rows, ({ submission_id }) => submission_id)
  return data.map((submission) => ({
    ...submission,
    replies: replies.get(submission.id)?.map(({ text, created_at }) => ({ text, created_at })) ?? [],
  }))
}

/** One column for each field of the form. Answers to fields that the page does not have any more are in the last one. */
async function answerColumns(db: Db, orgId: OrgId, pageId: string | undefined): Promise<Column[]> {
  const form = pageId === undefined ? undefined : await selectForm(db, orgId, pageId)
  if (form === undefined) return [DATA]
  const fields = (form.blocks as Block[]).filter(({ type }) => isFormField(type))
  const ids = new Set(fields.map(({ id }) => id))
  return [
    ...fields.map((block) => ({ heading: headingOf(block, form.default_language), cell: cellOf(block.id) })),
    { heading: 'other_answers', cell: ({ data }) => toJson(without(data as SubmissionData, ids)) },
  ]
}

const headingOf = ({ config }: Block, language: ContentLanguage): string => {
  const { label, name } = config as { label?: Text; name: string }
  return label === undefined ? name : textIn(label, language, language).text
}

const cellOf =
  (blockId: string) =>
  ({ data }: Submission): Cell => {
    const value = (data as SubmissionData)[blockId]?.value ?? null
    return typeof value === 'number' ? value : toText(value)
  }

const without = (data: SubmissionData, ids: ReadonlySet<string>): SubmissionData =>
  Object.fromEntries(Object.entries(data).filter(([id]) => !ids.has(id)))
