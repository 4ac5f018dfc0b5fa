import { expect, test } from 'vitest'
import { parseColumnNotes } from './column-notes.ts'
import { tablesFile } from './tables-file.ts'

const SQLITE = `
CREATE TABLE "things" (
  "id" text primary key,
  "org_id" text not null references "organisations" ("id"),
  "status" text default 'new' not null,
  "size" integer,
  "is_old" boolean not null,
  "tags" jsontext not null,
  "made_at" text,
  constraint "things_key" unique ("org_id", "size")
);
CREATE INDEX "things_idx" on "things" ("org_id");
`

const POSTGRES = `
create table things (
  id uuid not null,
  org_id uuid not null,
  status text collate "C" not null default 'new'::text,
  size bigint,
  is_old boolean not null,
  tags jsonb not null,
  made_at timestamp(3) with time zone,
  terms tsvector not null,
  constraint things_pkey PRIMARY KEY (id)
);
`

const NOTES = `export interface Columns {
  /** What is made. */
  things: {
    /** A new thing
     * is not sold. */
    status: 'new' | 'sold'
    tags: string[]
  }
}`

const generate = (notes: string, { sqlite = SQLITE, postgres = POSTGRES } = {}): string =>
  tablesFile({ sqlite, postgres }, new Map(parseColumnNotes(notes)))

test('generates row types and columns from the schema, with what columns.ts says about them', () => {
  expect(generate(NOTES)).toContain(`
  /** What is made. */
  things: {
    id: string
    org_id: OrgId
    /** A new thing
     * is not sold. */
    status: 'new' | 'sold'
    size: number | null
    is_old: boolean
    tags: string[]
    made_at: string | null
  }
}
`)
  expect(generate(NOTES)).toContain(
    "  things: ['id', 'org_id', 'status', 'size', 'is_old', 'tags', 'made_at'],\n} as const",
  )
})

test.each([
  ['another type', 'size bigint', 'size boolean', 'things.size: boolean or null'],
  ['another nullability', 'size bigint', 'size bigint not null', 'things.size: number'],
  ['no such column', '  size bigint,\n', '', 'things.size: number or null'],
  ['a column more', '  size bigint,\n', '  size bigint,\n  more text,\n', 'things.more: string or null'],
])('fails if one engine has %s', (_, from, to, difference) => {
  const postgres = POSTGRES.replace(from, to)
  expect(() => generate(NOTES, { postgres })).toThrow(`The engines differ in ${difference}`)
})

test.each([
  ['a table', 'things: {', 'thing: {', 'thing.'],
  ['a column', 'status:', 'state:', 'things.state'],
])('fails if columns.ts describes %s that does not exist', (_, from, to, name) => {
  expect(() => generate(NOTES.replace(from, to))).toThrow(`A columns.ts describes ${name}`)
})

test.each([
  ['another type', "'new' | 'sold'", 'number'],
  ['null in a column without it', "'new' | 'sold'", "'new' | null"],
  ['no null in a column with it', "status: 'new' | 'sold'", 'size: number'],
  ['JSON that is null', 'string[]', 'string[] | null'],
])('fails if columns.ts says %s', (_, from, to) => {
  expect(() => generate(NOTES.replace(from, to))).toThrow(/^columns\.ts says things\.\w+:.* but the schema:/)
})

test('fails on a column type that it does not know', () => {
  const postgres = POSTGRES.replace('size bigint', 'size money')
  expect(() => generate(NOTES, { postgres })).toThrow('unknown column type:   size money')
})
