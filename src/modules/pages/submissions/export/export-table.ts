import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { type Block, isFormField, type Text, textIn } from '../../blocks/index.ts'
import type { SubmissionData } from '../../form/index.ts'
import { toText } from '../answer-texts.ts'
import type { Submission } from '../contract.ts'
import type { Filters } from '../list-queries.ts'
import { selectForm } from '../queries.ts'
import { readPage } from '../service.ts'

/** A number stays one, so that a spreadsheet can calculate with it. */
export type Cell = string | number

interface Column {
  heading: string
  cell: (submission: Submission) => Cell
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
]

const DATA: Column = { heading: 'data', cell: ({ data }) => toJson(data) }

const toJson = (record: object): string => (Object.keys(record).length === 0 ? '' : JSON.stringify(record))

/** Yields the headings and then the rows, a page at a time, so that an export of any length takes little memory. */
export async function* readTable(db: Db, orgId: OrgId, filters: Filters, rowsMax = Infinity): AsyncGenerator<Cell[][]> {
  const columns = [...COMMON, ...(await answerColumns(db, orgId, filters.page_id))]
  yield [columns.map(({ heading }) => heading)]
  let rows = 0
  for (let after: Parameters<typeof readPage>[3]; rows < rowsMax; ) {
    const { data, next } = await readPage(db, orgId, filters, after, Math.min(PAGE_ROWS, rowsMax - rows))
    rows += data.length
    if (data.length > 0) yield data.map((submission) => columns.map(({ cell }) => cell(submission)))
    if (next === null) return
    after = next
  }
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
