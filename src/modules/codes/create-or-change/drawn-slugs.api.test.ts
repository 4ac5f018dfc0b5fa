import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { timestamp } from '../../../platform/clock/index.ts'
import { field } from '../../../platform/contract/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { resourceEvents } from '../../../platform/outbox/index.ts'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { createOrganisation } from '../../account/organisations/index.ts'
import { claimSlugs, loadTargets } from '../scan-targets/index.ts'
import { FIRST_VERSION } from '../versions/index.ts'
import type { ItemInput, ItemRow, Kind } from './kind.ts'
import { createOrChange } from './service.ts'

const NOW = timestamp(1_800_000_000_000)

let files: TestDatabase
let database: Database
let orgId: OrgId

beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
  orgId = await database.write(async (tx) => (await createOrganisation(tx, { name: 'Acme', slug: 'acme' }, NOW)).id)
})
afterAll(async () => {
  await database.close()
  await files.drop()
})

const Thing = z.object({ object: z.literal('object'), id: field.id, slug: z.string() })
type Thing = z.infer<typeof Thing>
type Input = ItemInput & { external_id?: string }
type Row = ItemRow & { external_id: string | null; slug: string }

/** Things that have a drawn slug and no table. */
const thingKind = (draw: () => string): Kind<Input, Row, Thing> => ({
  object: 'object',
  events: resourceEvents('object', Thing),
  keyField: 'external_id',
  uniqueIndexes: [],
  rows: { selectAllBy: async () => [], lockAllBy: async () => new Set() },
  normalise: (input) => input,
  toNewRow: (_input, id, now) => ({
    id,
    external_id: null,
    slug: '',
    destination_type: null,
    destination_id: null,
    destination_url: null,
    destination_article_id: null,
    created_at: now,
    updated_at: now,
    total_scans: 0,
    last_scanned_at: null,
    ...FIRST_VERSION,
  }),
  change: (row) => row,
  toResource: ({ id, slug }) => ({ object: 'object', id, slug }),
  toSource: ({ id, ...columns }) => ({ ...FIRST_VERSION, ...columns, id, status: 'active' }),
  check: async () => new Map(),
  async claim(tx, orgId, drafts) {
    const targets = drafts.map(({ row: { id }, setup }) => ({ id, setup }))
    const slugs = await claimSlugs(tx, orgId, 'object', targets, draw)
    return drafts.map(({ row }, n) => ({ ...row, slug: slugs[n] as string }))
  },
  insert: async () => {},
  update: async () => {},
  claimedKeys: () => [],
  otherKeys: () => [],
})

test('a slug that is taken is drawn again, and the request is done once', async () => {
  const ctx = { orgId, now: NOW, write: (work) => database.write(work, orgId) } as Context
  const create = (...slugs: string[]) =>
    createOrChange(
      ctx,
      thingKind(() => slugs.shift() ?? 'none left'),
      {},
    )
  const first = (await create('taken')) as Thing
  const second = (await create('taken', 'taken', 'free')) as Thing
  expect([first.slug, second.slug]).toEqual(['taken', 'free'])

  const targets = await loadTargets(database.read, ['object:taken', 'object:free'])
  expect(new Map(targets.map(({ key, id }) => [key, id]))).toEqual(
    new Map([
      ['object:taken', first.id],
      ['object:free', second.id],
    ]),
  )
  const events = await database.read
    .selectFrom('events')
    .select('payload')
    .where('org_id', '=', orgId)
    .where('type', '=', 'object.created')
    .execute()
  expect(events.map(({ payload }) => (payload as Thing).id).sort()).toEqual([first.id, second.id].sort())
})
