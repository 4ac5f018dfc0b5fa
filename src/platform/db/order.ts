import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../contract/pagination.ts'

/**
 * Whatever comes after a position in a list that is newest first. One comparison of both, so that the index seeks. Where
 * several tables are read, `table` is the one that the list is of.
 */
export const olderThan = ({ created_at, id }: Position, table?: string): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`)
  return sql<SqlBool>`(${column('created_at')}, ${column('id')}) < (${created_at}, ${id})`
}
