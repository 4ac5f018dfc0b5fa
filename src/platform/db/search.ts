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
