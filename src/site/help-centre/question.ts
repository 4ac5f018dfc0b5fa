import { isSlug, type Position } from '../../modules/knowledge/help-centre/index.ts'
import { QUERY_LENGTH_MAX } from './pages/layout.ts'

/** What a reader asks for behind the `?`. Everything else there is ignored, such as the scan that somebody came by. */
export interface Question {
  position: Position
  /** The position as it is written in an address; empty for the beginning. */
  asked: string
  within: string | undefined
  q: string
  page: number
}

const PAGE_MAX = 50

export function readQuestion(query: Record<string, unknown>): Question {
  const [after, before, within] = ['after', 'before', 'in'].map((name) => slugIn(query[name]))
  const page = Number(/^[1-9]\d?$/.exec(first(query.page))?.[0] ?? 1)
  return {
    position: { after, before },
    asked: after !== undefined ? `after=${after}` : before !== undefined ? `before=${before}` : '',
    within,
    q: tidy(first(query.q)),
    page: Math.min(page, PAGE_MAX),
  }
}

/** Something may be there twice. */
const first = (value: unknown): string => {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' ? one : ''
}

const slugIn = (value: unknown): string | undefined => {
  const text = first(value)
  return isSlug(text) ? text : undefined
}

/** Words on one line, without what no keyboard writes, and no more of them than anybody would. */
const tidy = (text: string): string =>
  [
    ...text
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, QUERY_LENGTH_MAX)
    .join('')
    .trim()
