import { z } from 'zod'
import { queryInteger } from './field.ts'

/** So that (page - 1) · page_size stays a number that every layer can count. */
const PAGE_MAX = 90_071_992_547_409
const PAGE_SIZE_MAX = 100
const PAGE_SIZE_DEFAULT = 25

/** Catalogue resources: `page` and `page_size`, and a `total`. */
export const offsetQuery = <Filters extends z.core.$ZodLooseShape>(filters: Filters, pageSize = PAGE_SIZE_DEFAULT) =>
  z.strictObject({
    page: queryInteger(1, PAGE_MAX, 1).describe('Which page, from 1.'),
    page_size: queryInteger(1, PAGE_SIZE_MAX, pageSize).describe('How many items a page has.'),
    ...filters,
  })

const CURSOR = z
  .string()
  .optional()
  .describe('`next_cursor` of the page before, verbatim and URL-encoded. Left out on the first page.')

/** High-volume streams: `cursor` and `limit`; the next page costs what the first one cost. */
export const cursorQuery = <Filters extends z.core.$ZodLooseShape>(filters: Filters) =>
  z.strictObject({
    cursor: CURSOR,
    limit: queryInteger(1, PAGE_SIZE_MAX, PAGE_SIZE_DEFAULT).describe('How many items a page has at most.'),
    ...filters,
  })

const NOT_BOTH = 'page and page_size belong to one kind of list, cursor and limit to the other: use one of the two'

/**
 * A catalogue that can be read as a stream, too: with `cursor` or `limit`, or where `sort` names the order that a stream
 * has. None of the four has a default, so that it shows which kind was asked for.
 */
export const eitherQuery = <Sort extends string, Filters extends z.core.$ZodLooseShape>(
  sorts: readonly [Sort, ...Sort[]],
  filters: Filters,
) =>
  z
    .strictObject({
      page: queryInteger(1, PAGE_MAX, undefined).describe('Which page, from 1.'),
      page_size: queryInteger(1, PAGE_SIZE_MAX, undefined).describe(
        `How many items a page has: ${PAGE_SIZE_DEFAULT} unless you say otherwise.`,
      ),
      cursor: CURSOR,
      limit: queryInteger(1, PAGE_SIZE_MAX, undefined).describe(
        `Asks for a cursor list, of at most this many items a page: ${PAGE_SIZE_DEFAULT} unless you say otherwise.`,
      ),
      sort: z.enum([STREAM_SORT, ...sorts]).optional(),
      ...filters,
    })
    .superRefine((sent, context) => {
      const query = sent as EitherQuery
      const isOffset = query.page !== undefined || query.page_size !== undefined
      const refuse = (message: string) => context.addIssue({ code: 'custom', message })
      if (isOffset && isStream(query)) refuse(NOT_BOTH)
      else if (isStream(query) && (query.sort ?? STREAM_SORT) !== STREAM_SORT)
        refuse(`cursor and limit go with sort=${STREAM_SORT} only`)
    })

/** The order of every stream: newest first. */
const STREAM_SORT = '-created_at'

interface EitherQuery {
  page?: number | undefined
  page_size?: number | undefined
  cursor?: string | undefined
  limit?: number | undefined
  sort?: string | undefined
}

/** Whether a cursor list was asked for. */
export const isStream = ({ cursor, limit, sort }: EitherQuery): boolean =>
  cursor !== undefined || limit !== undefined || sort === STREAM_SORT

/** With what was left out. */
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

/** What a service answers for an offset list; the envelope is put around it on the way out. */
export interface OffsetPage<Item> {
  data: Item[]
  total: number
}

/** The place in a stream after which a page starts. */
export interface Position {
  created_at: string
  id: string
}

export interface CursorPage<Item> {
  data: Item[]
  /** Where the next page starts; null when the stream is finished. */
  next: Position | null
}

const COUNT = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)

export const offsetList = (item: z.ZodType) =>
  z.object({
    object: z.literal('list'),
    total: COUNT.describe('How many items there are in all, with the filters applied.'),
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
      .describe('Opaque. Pass it as `cursor` for the next page; null when the stream is finished.'),
    data: z.array(item),
  })
