import { timestamp, toMs } from '../../../platform/clock/index.ts'
import { Submission } from './contract.ts'
import type { Selection } from './list-queries.ts'
import type { SubmissionRow } from './queries.ts'

/** Ids with an index of their own. The first that a request filters by has few submissions, unless it is that of a page. */
const IDS = ['assignee_id', 'qr_code_id', 'object_id', 'product_id', 'page_id'] as const

/** Columns with few values. The indexes of all submissions and of a page have all of them before their order, the others only the status. */
const { status, priority } = Submission.shape
const VALUES = { status: status.options, flagged: [false, true], priority: priority.options } as const
const STATES = ['status', 'flagged', 'priority'] as const

export type Filters = Partial<
  { [Column in (typeof IDS)[number] | (typeof STATES)[number]]: SubmissionRow[Column] | undefined } & {
    [Name in 'search' | 'from' | 'to']: string | undefined
  }
>

/** The ranges of one index that have all submissions of a list, and what to check for each of them. */
export function toSelection({ search, from, to, ...filters }: Filters): Selection {
  const [first, ...others] = IDS.flatMap((column) => {
    const id = filters[column]
    return id == null ? [] : [[column, id] as const]
  })
  const ids = first === undefined ? [] : [[first[0], [first[1]]] as const]
  const states = STATES.map((column) => {
    const value = filters[column]
    return [column, value === undefined ? VALUES[column] : [value]] as const
  })
  const given = STATES.flatMap((column) => {
    const value = filters[column]
    return value === undefined ? [] : [[column, value] as const]
  })
  // Times are stored in UTC.
  const limits = { search, from: from && timestamp(toMs(from)), to: to && timestamp(toMs(to)) }
  if (first !== undefined && first[0] !== 'page_id') {
    const checked = given.filter(([column]) => column !== 'status')
    return { filters: [...ids, ...states.slice(0, 1)], behind: [...checked, ...others], ...limits }
  }
  // All submissions, and all of a page, have an index in their order, too.
  return { filters: given.length === 0 ? ids : [...ids, ...states], behind: [], ...limits }
}
