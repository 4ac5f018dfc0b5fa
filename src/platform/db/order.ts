import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../contract/pagination.ts'

/** Whatever comes after a position in a list that is newest first. One comparison of both, so that the index seeks. */
export const olderThan = ({ created_at, id }: Position): RawBuilder<SqlBool> =>
  sql<SqlBool>`("created_at", "id") < (${created_at}, ${id})`
