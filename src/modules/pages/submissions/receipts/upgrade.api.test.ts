import { expect, onTestFinished, test } from 'vitest'
import { systemClock, timestamp } from '../../../../platform/clock/index.ts'
import { migrate, migrateTo } from '../../../../platform/db/migrate.ts'
import { openDatabase } from '../../../../platform/db/open.ts'
import { newId } from '../../../../platform/ids/index.ts'
import { createEmptyDatabase } from '../../../../testing/engines/database.ts'

const BEFORE = '0061_addresses_are_uris'
const NOW = timestamp(systemClock())

test('what was sent before an upgrade is named after the thing, as far as its own organisation has it', async () => {
  const files = await createEmptyDatabase()
  const database = await openDatabase(files.location)
  onTestFinished(async () => {
    await database.close()
    await files.drop()
  })
  await migrateTo(database, BEFORE)
  const { kysely } = database
  const insert = (table: string, values: Record<string, unknown>) =>
    kysely
      .insertInto(table as never)
      .values(values as never)
      .execute()
  const times = { created_at: NOW, updated_at: NOW }
  const [acme, other] = [newId(), newId()]
  for (const id of [acme, other]) await insert('organisations', { id, name: 'Acme', slug: `acme-${id}`, ...times })
  const object = { id: newId(), name: 'Acme One, kitchen', external_id: 'acme-one-7' }
  const ofObject = { type: 'machine', search_text: '', name_key: 'acme', public_slug: 'k7Qm2XvB9sTe', metadata: '{}' }
  await insert('objects', { ...object, ...ofObject, org_id: acme, is_active: true, ...times })
  const submission = { page_id: newId(), status: 'new', priority: 'none', flagged: false, data: '{}', metadata: '{}' }
  const send = (number: number, org_id: string, object_id: string | null) =>
    insert('submissions', { ...submission, id: newId(), org_id, number, object_id, search_text: '', ...times })
  await send(1, acme, object.id)
  await send(2, other, object.id)
  await send(3, acme, newId())
  await send(4, acme, null)

  await migrate(database)
  const rows = await kysely
    .selectFrom('submissions')
    .select(['scanned_name', 'scanned_external_id', 'reply_count', 'language'])
    .orderBy('number')
    .execute()
  const unnamed = { scanned_name: null, scanned_external_id: null, reply_count: 0, language: null }
  const named = { ...unnamed, scanned_name: 'Acme One, kitchen', scanned_external_id: 'acme-one-7' }
  expect(rows).toEqual([named, unnamed, unnamed, unnamed])
})
