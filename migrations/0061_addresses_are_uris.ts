import { type Kysely, sql } from 'kysely'
import { toUri, URL_LENGTH_MAX } from '../src/platform/contract/web-url.ts'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import type { Engine } from '../src/platform/db/types.ts'

/** The columns whose values responses declare as `uri`. */
const COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ...['qr_codes', 'qr_groups', 'objects', 'products', 'product_links'].map(
    (table) => [table, 'destination_url'] as const,
  ),
  ...['organisations', 'knowledge_bases', 'chatbots', 'oauth_clients'].map((table) => [table, 'logo_url'] as const),
  ...['organisations', 'custom_domains'].map((table) => [table, 'fallback_url'] as const),
  ['pages', 'favicon_url'],
  ['pages', 'og_image_url'],
]

const ROWS_MAX = 1000

/** Addresses were stored as they were sent. From now on, they are stored as URIs (ADR 61). */
export const up: MigrationStep = async (db, _types, engine) => {
  for (const [table, column] of COLUMNS) await rewrite(db, engine, table, column)
}

interface Row {
  id: string
  url: string
}

async function rewrite(db: Kysely<unknown>, engine: Engine, table: string, column: string): Promise<void> {
  const [from, url] = [sql.table(table), sql.ref(column)]
  // What a URI is made of, and brackets and the percent sign only in some places: `toUri` decides.
  const isUnusual =
    engine === 'sqlite'
      ? sql`${url} glob '*[^-a-zA-Z0-9._~:/?#@!$&''()*+,;=]*'`
      : sql`${url} ~ '[^-a-zA-Z0-9._~:/?#@!$&''()*+,;=]'`
  let last: string | undefined
  do {
    const isAfter = last === undefined ? sql`true` : sql`id > ${last}`
    const { rows } = await sql<Row>`
      select id, ${url} as url from ${from} where ${isUnusual} and ${isAfter} order by id limit ${ROWS_MAX}`.execute(db)
    for (const row of rows) {
      const uri = toUri(row.url)
      if (uri === row.url || uri.length > URL_LENGTH_MAX) continue
      await sql`update ${from} set ${url} = ${uri} where id = ${row.id}`.execute(db)
    }
    last = rows.length < ROWS_MAX ? undefined : rows.at(-1)?.id
  } while (last !== undefined)
}
