import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Folds a text for comparison without case. We fold in code and store the result, because the engines differ (SQLite
 * folds only A to Z). Upper case first, then lower case, so that all variants of a letter become equal.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase()

/** Whether a column of folded text contains the term. `%` and `_` in the term are literal. */
export function containsFolded(column: string, term: string): RawBuilder<SqlBool> {
  const pattern = `%${foldCase(term).replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`
}

/** The sort key of a name, without case. Rows without a name sort last. */
export const sortKey = (name: string | null): string => (name === null ? '\u{10FFFF}' : foldCase(name))

/** Joins the searchable fields of a row into one folded text. */
export const searchText = (...parts: (string | null)[]): string => foldCase(parts.filter(Boolean).join('\n'))
