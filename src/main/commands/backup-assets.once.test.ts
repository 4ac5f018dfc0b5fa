/** Tests the guarantee that a backup with assets has every file, and restores it into either store. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newGif, SAMPLES } from '../../modules/assets/assets/testing/sample-files.ts'
import { openLocalStore } from '../../platform/files/local-store.ts'
import { openS3Store } from '../../platform/files/s3-store.ts'
import { readStored } from '../../platform/files/testing/files.ts'
import { createDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import { type Harness, type Tenant, useHarness } from '../../testing/harness.ts'
import { killProcesses, runCommand, type Settings, settingsFor } from '../../testing/process.ts'
import { TestS3Server } from '../../testing/world/s3-server.ts'

const s3 = await TestS3Server.start()
const target = await TestS3Server.start()
const { endpoint, bucket, region, accessKeyId, secretAccessKey } = target.settings
const toBucket: Settings = {
  S3_ENDPOINT: endpoint,
  S3_BUCKET: bucket,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
}

const created: TestDatabase[] = []
afterEach(async () => {
  await killProcesses()
  for (const database of created.splice(0)) await database.drop()
})
afterAll(() => Promise.all([s3.close(), target.close()]))

async function createTarget(): Promise<TestDatabase> {
  const database = await createDatabase()
  created.push(database)
  return database
}

const LARGE = Buffer.concat([SAMPLES.mp4.content], 3 * 1024 * 1024)

interface Stored {
  name: string
  content: Buffer
}

async function uploadTo(tenant: Tenant): Promise<Stored[]> {
  const stored: Stored[] = []
  for (const content of [newGif(), newGif(), LARGE]) {
    const { url } = (await tenant.post('/v1/assets', content)).body
    stored.push({ name: url.split('/').at(-1), content })
  }
  return stored.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const sizeOf = (files: Stored[]) => files.reduce((sum, { content }) => sum + content.length, 0)

describe.each(['local', 's3'] as const)('of the %s store', (kind) => {
  const harness: Harness = useHarness({ role: 'api', config: { s3: kind === 's3' ? s3.settings : undefined } })
  let files: Stored[]
  let source: Settings

  beforeAll(async () => {
    files = await uploadTo(await harness.createTenant())
    const { settings } = s3
    source = {
      ...settingsFor(harness),
      ...(kind === 's3' && { ...toBucket, S3_ENDPOINT: settings.endpoint }),
    }
  })

  test('a backup without assets says how many files and bytes it leaves out', async () => {
    const file = join(harness.folder, 'rows.gz')
    const replaced = join(harness.folder, 'replaced.gz')
    await writeFile(replaced, '')
    const [{ code, json }, { stdout }, database] = await Promise.all([
      runCommand(['backup', file, '--json'], source),
      runCommand(['backup', replaced, '--force'], source),
      createTarget(),
    ])
    expect(code).toBe(0)
    const assets = { count: 3, bytes: sizeOf(files), included: false, missing: 0 }
    expect(json.assets).toEqual(assets)
    expect(stdout).toMatch(/\nLeft out: 3 stored files \(3\.1 MB\)\. Copy them as well, .*--with-assets\.\n$/)
    expect((await runCommand(['restore', replaced, '--json'], settingsFor(database))).json).toMatchObject({ files: 0 })
  })

  test('a backup with assets restores all of them, into a folder and into a bucket', async () => {
    const file = join(harness.folder, 'all.gz')
    const { json, stderr } = await runCommand(['backup', file, '--with-assets', '--json'], source)
    expect(stderr).toBe('')
    expect(json.assets).toEqual({ count: 3, bytes: sizeOf(files), included: true, missing: 0 })

    const [local, elsewhere] = [await createTarget(), await createTarget()]
    const [restored, restoredElsewhere] = await Promise.all([
      runCommand(['restore', file, '--json'], settingsFor(local)),
      runCommand(['restore', file, '--json'], { ...settingsFor(elsewhere), ...toBucket }),
    ])
    expect(restored.json).toMatchObject({ files: 3 })
    const folder = join(local.folder, 'assets')
    expect((await readdir(folder)).sort()).toEqual(files.map(({ name }) => name))
    for (const { name, content } of files) expect((await readFile(join(folder, name))).equals(content)).toBe(true)

    expect(restoredElsewhere.json).toMatchObject({ files: 3 })
    const store = openS3Store(target.settings, join(elsewhere.folder, 'assets'))
    for (const { name, content } of files) expect((await readStored(store, name))?.equals(content)).toBe(true)
  })

  test('a damaged backup restores nothing', async () => {
    const file = join(harness.folder, 'all.gz')
    const half = join(harness.folder, 'half.gz')
    const bytes = await readFile(file)
    await writeFile(half, bytes.subarray(0, bytes.length - 200))
    const database = await createTarget()
    const { code, stderr } = await runCommand(['restore', half], settingsFor(database))
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') })
    expect((await runCommand(['restore', file, '--json'], settingsFor(database))).json).toMatchObject({ files: 3 })
  })

  test('a file that is missing in the store is counted', async () => {
    const store =
      kind === 'local' ? openLocalStore(join(harness.folder, 'assets')) : openS3Store(s3.settings, harness.folder)
    await store.remove(files[0]?.name as string)
    const [asJson, asText] = [join(harness.folder, 'missing.gz'), join(harness.folder, 'missing-again.gz')]
    await writeFile(asText, '')
    const [{ json }, { stdout }] = await Promise.all([
      runCommand(['backup', asJson, '--with-assets', '--json'], source),
      runCommand(['backup', asText, '--with-assets', '--force'], source),
    ])
    expect(json.assets).toMatchObject({ count: 3, missing: 1 })
    expect(stdout).toContain('Missing in the store, and so in the backup: 1 file.')
  })
})
