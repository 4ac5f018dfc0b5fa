/** The rows of one organisation that lists select from, and ids for filters. */
export interface Filled {
  pages: readonly string[]
  chatbots: readonly string[]
  knowledgeBases: readonly string[]
  categories: readonly string[]
  members: readonly string[]
  products: readonly string[]
}

/** A list with filters, each with a value that a part of its rows has. */
export interface List {
  path: string
  filters: Record<string, string>
  sorts: readonly string[]
  /** An offset list, whose late pages are asked for, too. */
  hasPages: boolean
}

/** No row has it. */
const UNKNOWN_WORD = 'zweckentfremdet'

export const listsOf = ({ pages, chatbots, knowledgeBases, categories, members, products }: Filled): List[] => [
  {
    path: '/v1/submissions',
    filters: {
      page_id: newer(pages),
      status: 'resolved',
      flagged: 'true',
      priority: 'high',
      assignee_id: newer(members),
      product_id: older(products),
      search: UNKNOWN_WORD,
    },
    sorts: [],
    hasPages: false,
  },
  {
    path: '/v1/conversations',
    filters: { chatbot_id: newer(chatbots), status: 'resolved', priority: 'high,low', assigned_to: older(members) },
    sorts: ['created_at', '-last_message_at'],
    hasPages: false,
  },
  {
    path: '/v1/articles',
    filters: {
      knowledge_base_id: newer(knowledgeBases),
      category_id: newer(categories),
      status: 'archived',
      visibility: 'internal',
      language: 'de',
      search: UNKNOWN_WORD,
    },
    sorts: ['recent', 'title'],
    hasPages: true,
  },
  {
    path: '/v1/qr-codes',
    filters: { status: 'active', search: UNKNOWN_WORD },
    sorts: ['name', 'scans'],
    hasPages: true,
  },
]

/** The first half of all rows has the first value, the second half the second: filters by one of each find nothing. */
const older = ([first = '']: readonly string[]): string => first
const newer = ([, second = '']: readonly string[]): string => second

/** The queries of a list: each filter, each pair and all together, each order with and without a filter, a late page. */
export function queriesOf({ filters, sorts, hasPages }: List, rows: number): string[] {
  const given = Object.entries(filters)
  const pairs = given.flatMap((one, place) => given.slice(place + 1).map((other) => [one, other]))
  const orders = sorts.flatMap((sort) => [[['sort', sort]], ...given.map((filter) => [filter, ['sort', sort]])])
  const latePages = hasPages ? [[['page', String(Math.max(1, Math.floor(rows / 25)))]]] : []
  const queries = [[], ...given.map((filter) => [filter]), ...pairs, given, ...orders, ...latePages]
  return queries.map((query) => new URLSearchParams(query as string[][]).toString())
}
