/** Other users of the machine have no access to the data. Runs in other processes, because the umask is one per process. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-data-'))
})
afterEach(() => rm(folder, { recursive: true }))

const run = (program: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, ['--eval', `process.umask(0o022)\n${program}`, ...args])
const source = (path: string) => JSON.stringify(new URL(path, import.meta.url))

/** Returns what stays open. */
const createDataDir = async (dataDir: string): Promise<string[]> => {
  const { stdout } = await run(
    `import { createDataDir } from ${source('./data-dir.ts')}
    console.log(JSON.stringify(createDataDir(process.argv[1])))`,
    dataDir,
  )
  return JSON.parse(stdout)
}

/** `chmod`, because the umask does not apply to it. */
async function writeOpenFile(path: string): Promise<void> {
  await writeFile(path, '')
  await chmod(path, 0o644)
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe.skipIf(process.platform === 'win32')('permissions', () => {
  test('everything that a process writes in a new folder is closed to other users', async () => {
    const dataDir = join(folder, 'new', 'data')
    await run(
      `
      import { lockDataDir } from ${source('./data-dir.ts')}
      import { openSqlite } from ${source('../platform/db/sqlite/index.ts')}
      import { openLocalStore } from ${source('../platform/files/local-store.ts')}
      import { Journal } from ${source('../platform/recording/journal.ts')}
      const dataDir = process.argv[1]
      lockDataDir(dataDir)
      const database = await openSqlite(dataDir + '/waymark.db')
      await database.kysely.schema.createTable('things').addColumn('id', 'integer').execute()
      await new Journal(dataDir + '/scans/installation', { entries: 'scans', version: 1 }).append(['[]'])
      await (await openLocalStore(dataDir + '/assets').stage([Buffer.from('bytes')])).store('image.png', 'image/png')
      process.exit()
      `,
      dataDir,
    )
    const modes = new Map<string, string>([['data', await modeOf(dataDir)]])
    for (const entry of await readdir(dataDir, { recursive: true })) {
      modes.set(entry.replace(/[\w-]{36}/, 'ID'), await modeOf(join(dataDir, entry)))
    }
    expect(Object.fromEntries(modes)).toEqual({
      data: '700',
      'service.lock': '600',
      'waymark.db': '600',
      'waymark.db-wal': '600',
      'waymark.db-shm': '600',
      scans: '700',
      'scans/installation': '700',
      'scans/installation/ID': '700',
      'scans/installation/ID/lock': '600',
      'scans/installation/ID/1.scans': '600',
      'scans/installation/ID/2.scans': '600',
      assets: '700',
      'assets/image.png': '600',
    })
  })

  test('what an earlier release left open is closed', async () => {
    await chmod(folder, 0o755)
    await writeOpenFile(join(folder, 'waymark.db'))
    const segment = join(folder, 'scans', 'installation', '1.scans')
    await mkdir(join(segment, '..'), { recursive: true })
    await writeOpenFile(segment)
    for (const path of ['scans', 'scans/installation']) await chmod(join(folder, path), 0o755)
    expect(await createDataDir(folder)).toEqual([])
    expect(await modeOf(folder)).toBe('700')
    expect(await modeOf(join(folder, 'waymark.db'))).toBe('600')
    expect(await modeOf(join(folder, 'scans'))).toBe('700')
    expect(await modeOf(join(folder, 'scans', 'installation'))).toBe('700')
    expect(await modeOf(segment)).toBe('600')
  })

  test('no other user can read stored files and journals, also if a command writes them', async () => {
    await chmod(folder, 0o755)
    await run(
      `
      import { openLocalStore } from ${source('../platform/files/local-store.ts')}
      import { Journal } from ${source('../platform/recording/journal.ts')}
      const folder = process.argv[1]
      await new Journal(folder + '/scans', { entries: 'scans', version: 1 }).append(['[]'])
      await (await openLocalStore(folder + '/assets').stage([Buffer.from('bytes')])).store('image.png', 'image/png')
      process.exit()
      `,
      folder,
    )
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    // A lock is empty.
    for (const entry of entries.filter(({ name }) => name !== 'lock')) {
      const mode = await modeOf(join(entry.parentPath, entry.name))
      expect([entry.name, mode]).toEqual([entry.name, entry.isDirectory() ? '700' : '600'])
    }
  })

  test('a folder with other files keeps its permissions, and so do those files', async () => {
    await chmod(folder, 0o755)
    await writeOpenFile(join(folder, 'waymark.db'))
    await writeOpenFile(join(folder, 'other.txt'))
    expect(await createDataDir(folder)).toEqual([folder])
    expect(await modeOf(folder)).toBe('755')
    expect(await modeOf(join(folder, 'waymark.db'))).toBe('600')
    expect(await modeOf(join(folder, 'other.txt'))).toBe('644')
  })
})
