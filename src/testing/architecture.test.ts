import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MODULES = fileURLToPath(new URL('../modules/', import.meta.url))
const QUERY = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^>]*>)?`/
const QUERY_FILE = /(^|[/-])queries\.ts$/

/** The import rules for query files go by the file's name, so a query elsewhere would escape them. */
test('modules build SQL only in files called queries.ts or *-queries.ts', () => {
  const files = readdirSync(MODULES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file),
  )
  const querying = files.filter((file) => QUERY.test(readFileSync(MODULES + file, 'utf8')))
  expect(querying.length).toBeGreaterThan(20)
  expect(querying.filter((file) => !QUERY_FILE.test(file))).toEqual([])
})
