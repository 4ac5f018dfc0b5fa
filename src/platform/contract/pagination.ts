import { z } from 'zod'
import { choice } from './choice.ts'
import { queryInteger } from './field.ts'

/** Keeps (page - 1) · page_size within the safe integers. */
const PAGE_MAX = 90_071_992_547_409
const PAGE_SIZE_MAX = 100
const PAGE_SIZE_DEFAULT = 25

/** The query of an offset list: `page` and `page_size`. The response has a `total`. */
export const offsetQuery = <Filters extends z.core.$ZodLooseShape>(filters: Filters, pageSize = PAGE_SIZE_DEFAULT) =>
  z.strictObject({
    page: queryInteger(1, PAGE_MAX, 1).describe('Page number, from 1.'),
    page_size: queryInteger(1, PAGE_SIZE_MAX, pageSize).describe('Items per page.'),
    ...filters,
  })

const CURSOR = z
  .string()
  .optional()
  .describe('`next_cursor` of the previous page, unchanged and URL-encoded. Omit it for the first page.')

/** The query of a cursor list, for high-volume streams: every page costs as much as the first one. */
export const cursorQuery = <Filters extends z.core.$ZodLooseShape>(filters: Filters) =>
  z.strictObject({
    cursor: CURSOR,
    limit: queryInteger(1, PAGE_SIZE_MAX, PAGE_SIZE_DEFAULT).describe('Items per page, at most.'),
    ...filters,
  })

const NOT_BOTH = 'Use either page and page_size, or cursor and limit, not both'

/**
 * The query of a list that supports both kinds. `cursor`, `limit` or the sort order of a stream select a cursor list.
 * No parameter has a default, so that we can tell which kind was requested.
 */
export const eitherQuery = <Sort extends string, Filters extends z.core.$ZodLooseShape>(
  sorts: Readonly<Record<Sort, string>>,
  filters: Filters,
) =>
  z
    .strictObject({
      page: queryInteger(1, PAGE_MAX, undefined).describe('Page number, from 1.'),
      page_size: queryInteger(1, PAGE_SIZE_MAX, undefined).describe(
        `Items per page. Defaults to ${PAGE_SIZE_DEFAULT}.`,
      ),
      cursor: CURSOR,
      limit: queryInteger(1, PAGE_SIZE_MAX, undefined).describe(
        `Items per page of a cursor list, at most. Defaults to ${PAGE_SIZE_DEFAULT}.`,
      ),
      sort: choice({ [STREAM_SORT]: 'Newest first, as a cursor list.', ...sorts } as Record<
        typeof STREAM_SORT | Sort,
        string
      >)
        .optional()
        .describe('The order of the list.'),
      ...filters,
    })
    .superRefine((sent, context) => {
      const query = sent as EitherQuery
      const isOffset = query.page !== undefined || query.page_size !== undefined
      const refuse = (message: string) => context.addIssue({ code: 'custom', message })
      if (isOffset && isCursorQuery(query)) refuse(NOT_BOTH)
      else if (isCursorQuery(query) && (query.sort ?? STREAM_SORT) !== STREAM_SORT)
        refuse(`cursor and limit work only with sort=${STREAM_SORT}`)
    })

/** The usual order of cursor lists. */
export const STREAM_SORT = '-created_at'

interface EitherQuery {
  page?: number | undefined
  page_size?: number | undefined
  cursor?: string | undefined
  limit?: number | undefined
  sort?: string | undefined
}

/** Whether the query asks for a cursor list. */
export const isCursorQuery = ({ cursor, limit, sort }: EitherQuery): boolean =>
  cursor !== undefined || limit !== undefined || sort === STREAM_SORT

/** Adds the defaults that `eitherQuery` leaves out. */
export const withPageDefaults = <Query extends EitherQuery>(query: Query) => ({
  ...query,
  page: query.page ?? 1,
  page_size: query.page_size ?? PAGE_SIZE_DEFAULT,
  limit: query.limit ?? PAGE_SIZE_DEFAULT,
})

export interface OffsetQuery {
  page: number
  page_size: number
}

export interface CursorQuery {
  cursor?: string | undefined
  limit: number
}

/** One page of an offset list as a service returns it. The response adds the envelope. */
export interface OffsetPage<Item> {
  data: Item[]
  total: number
}

/** The row after which a page of a cursor list starts. */
export interface Position {
  created_at: string
  id: string
}

export interface CursorPage<Item> {
  data: Item[]
  /** The last row of this page; null if there are no more pages. */
  next: Position | null
}

const COUNT = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)

export const offsetList = (item: z.ZodType) =>
  z.object({
    object: z.literal('list'),
    total: COUNT.describe('Number of items on all pages that match the filters.'),
    page: COUNT,
    page_size: COUNT,
    data: z.array(item),
  })

export const cursorList = (item: z.ZodType) =>
  z.object({
    object: z.literal('list'),
    has_more: z.boolean(),
    next_cursor: z
      .string()
      .nullable()
      .describe('Opaque. Send it as `cursor` to get the next page. Null if there are no more pages.'),
    data: z.array(item),
  })
