import { type CentreRoute, isSlug, type SlugPosition } from '../../public-articles/index.ts'
import { QUERY_LENGTH_MAX } from '../pages/layout.ts'

/** The query parameters that pages use. Others, such as `scan` and `utm_source`, are ignored. */
export interface PageQuery {
  position: SlugPosition
  /** The position as a query string, such as `after=oak`; empty for the first page. */
  positionParam: string
  /** The parameter `in`: the category whose subcategories are listed. */
  parentSlug: string | undefined
  q: string
  /** The parameter `exact`: the words are searched for as they were typed, and not corrected. */
  isExact: boolean
  page: number
}

const PAGE_MAX = 50

export const NO_QUERY: PageQuery = {
  position: {},
  positionParam: '',
  parentSlug: undefined,
  q: '',
  isExact: false,
  page: 1,
}

/** Whether the page is the one without query parameters, which most links lead to. None leads to the page for feedback. */
export function isFirstPage({ page }: CentreRoute, { positionParam, parentSlug, q }: PageQuery): boolean {
  if (page === 'search') return q === ''
  if (page === 'articles' || page === 'category') return positionParam === ''
  if (page === 'feedback') return false
  return page !== 'categories' || (positionParam === '' && parentSlug === undefined)
}

export function parseQuery(query: Record<string, unknown>): PageQuery {
  const [after, before, parentSlug] = ['after', 'before', 'in'].map((name) => slugIn(query[name]))
  const page = Number(/^[1-9]\d?$/.exec(first(query.page))?.[0] ?? 1)
  return {
    position: { after, before },
    positionParam: after !== undefined ? `after=${after}` : before !== undefined ? `before=${before}` : '',
    parentSlug,
    q: normalise(first(query.q)),
    isExact: first(query.exact) === '1',
    page: Math.min(page, PAGE_MAX),
  }
}

/** A repeated parameter arrives as an array. */
const first = (value: unknown): string => {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' ? one : ''
}

const slugIn = (value: unknown): string | undefined => {
  const text = first(value)
  return isSlug(text) ? text : undefined
}

/** Collapses whitespace and control characters, and limits the length without splitting a surrogate pair. */
const normalise = (text: string): string =>
  [
    ...text
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, QUERY_LENGTH_MAX)
    .join('')
    .trim()
