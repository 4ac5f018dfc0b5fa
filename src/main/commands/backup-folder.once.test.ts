/** Backups in a folder, and what the service knows about them. */
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Client } from '../../testing/client.ts'
import { useHarness } from '../../testing/harness.ts'
import { runCommand, settingsFor } from '../../testing/process.ts'

const harness = useHarness({ role: 'api', config: { metricsPort: 0 } })
const NAME = /^waymark-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.gz$/

const backup = (...args: string[]) => runCommand(['backup', ...args, '--json'], settingsFor(harness))

async function lastBackup(): Promise<number> {
  const { text } = await new Client(`http://127.0.0.1:${harness.service.metricsPort}`, undefined).get('/metrics')
  return Number(/^waymark_last_backup_timestamp_seconds (\S+)$/m.exec(text)?.[1])
}

test('a metric shows when the newest complete backup was begun, and 0 before there is one', async () => {
  expect(await lastBackup()).toBe(0)
  expect((await backup(join(harness.folder, 'no', 'such', 'file.gz'))).code).toBe(1)
  expect(await lastBackup()).toBe(0)
  const { json } = await backup(join(harness.folder, 'one.gz'))
  expect(await lastBackup()).toBe(Date.parse(json.created_at) / 1000)
  await writeFile(join(harness.folder, 'last-backup'), 'damaged')
  expect(await lastBackup()).toBe(0)
})

test('keeps the newest backups of a folder, deletes what killed ones left, and touches nothing else', async () => {
  const folder = join(harness.folder, 'backups')
  await mkdir(folder)
  const old = ['waymark-2026-01-01T03-00-00Z.gz', 'waymark-2026-01-02T03-00-00Z.gz', 'waymark-2026-01-03T03-00-00Z.gz']
  // A clock that was set back made it. It is not the newest, so it must not take the place of the one made now.
  const later = 'waymark-2099-01-01T03-00-00Z.gz'
  const foreign = ['acme.gz', 'waymark-2026.gz', 'waymark-2026-01-01T03-00-00Z.gz.copy']
  const [abandoned, young] = ['waymark-2026-01-04T03-00-00Z.gz.partial', 'waymark-2026-01-05T03-00-00Z.gz.partial']
  for (const name of [...old, later, ...foreign, abandoned, young]) await writeFile(join(folder, name), name)
  await utimes(join(folder, abandoned), 0, 0)
  const { code, json } = await backup(folder, '--keep', '3')
  expect({ code, deleted: json.deleted }).toEqual({ code: 0, deleted: old.slice(0, 2) })
  const made = json.file.slice(folder.length + 1)
  expect(made).toMatch(NAME)
  expect((await stat(json.file)).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).sort()).toEqual([old[2]!, made, later, ...foreign, young].sort())
  for (const name of foreign) expect(await readFile(join(folder, name), 'utf8')).toBe(name)
  const one = await backup(folder, '--keep', '1', '--force')
  expect((await readdir(folder)).filter((name) => NAME.test(name))).toEqual([one.json.file.slice(folder.length + 1)])
})

test('a backup that fails deletes nothing, and --keep needs a folder', async () => {
  const folder = join(harness.folder, 'kept')
  await mkdir(folder)
  await writeFile(join(folder, 'waymark-2026-01-01T03-00-00Z.gz'), '')
  const nowhere = { DATA_DIR: join(harness.folder, 'nowhere') }
  expect((await runCommand(['backup', folder, '--keep', '1'], nowhere)).code).toBe(1)
  expect(await readdir(folder)).toHaveLength(1)
  const file = join(harness.folder, 'a-file.gz')
  expect(await backup(file, '--keep', '2')).toMatchObject({
    code: 1,
    json: { error: { message: `${file} is not a folder. --keep needs one: create it first.` } },
  })
  expect((await backup(folder, '--keep', '0')).code).toBe(2)
})
