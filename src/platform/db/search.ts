import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The form in which names are compared ignoring case. Made here and stored, because the engines fold letters
 * differently (SQLite only knows A to Z). Up and down again, so that all forms of a letter meet.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase()

/** Whether a column of folded text contains the term. `%` and `_` in the term mean themselves. */
export function containsFolded(column: string, term: string): RawBuilder<SqlBool> {
  const pattern = `%${foldCase(term).replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`
}

/** Sorts names ignoring case; what has none comes last. */
export const sortKey = (name: string | null): string => (name === null ? '\u{10FFFF}' : foldCase(name))

/** What a search looks at, as one text. */
export const searchText = (...parts: (string | null)[]): string => foldCase(parts.filter(Boolean).join('\n'))
