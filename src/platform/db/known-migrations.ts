import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from './types.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)

/** The steps that this code has, in order. */
export async function listKnownMigrations(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files.flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : [])).sort()
}

/** The steps that a migrated database has gone through, in order. */
export async function listDoneMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** The steps that the database has gone through and this code does not know: a newer version was here. */
export async function listUnknownMigrations(db: Db): Promise<string[]> {
  const known = new Set(await listKnownMigrations())
  return (await listDoneMigrations(db)).filter((name) => !known.has(name))
}
