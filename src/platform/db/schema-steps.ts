import { sql } from 'kysely'
import type { Db } from './types.ts'

/** Steps that this version does not know: a newer one has migrated the database. */
export interface NewerSchema {
  names: string[]
  /** What applied the newest of them. Undefined if nobody has recorded it. */
  build: string | undefined
  /** Whether this version can use the database all the same, because the steps only add to it. */
  isUsable: boolean
}

interface Step {
  name: string
  build: string | null
  is_breaking: boolean | null
}

export async function selectNewerSchema(db: Db, known: readonly string[]): Promise<NewerSchema | undefined> {
  const { rows } = await sql<Step>`
    select m.name, s.build, s.is_breaking from migrations m left join schema_steps s on s.name = m.name
    order by m.name`.execute(db)
  const newer = rows.filter(({ name }) => !known.includes(name))
  const build = newer.at(-1)?.build ?? undefined
  if (newer.length === 0) return undefined
  return { names: newer.map(({ name }) => name), build, isUsable: newer.every((step) => step.is_breaking === false) }
}

/** Creates the table of steps. */
export const FIRST_RECORDED = '0057_schema_steps'

/** What applied the newest step: the version that a backup of this database needs. Undefined before steps were recorded. */
export async function findSchemaBuild(db: Db, applied: readonly string[]): Promise<string | undefined> {
  if (!applied.includes(FIRST_RECORDED)) return undefined
  const { rows } = await sql<{ build: string }>`
    select build from schema_steps order by name desc limit 1`.execute(db)
  return rows[0]?.build
}

export const explainNewerSchema = ({ names, build }: NewerSchema): string =>
  `${build === undefined ? 'A newer Waymark' : `Waymark ${build}`} has migrated this database in a way that this version cannot use (${names.join(', ')}). Use that version or a later one, or restore a backup from before the upgrade: docs/versions.md.`
