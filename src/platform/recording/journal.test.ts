import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Journal } from './journal.ts'
import { toLine } from './journal-line.ts'

/** A version in the middle, so that there are older and newer ones. */
const FORMAT = { entries: 'scans', version: 2 }

let folder: string
let opened: Journal[]
let children: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-journal-'))
  opened = []
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const journal of opened) await journal.close()
  rmSync(folder, { recursive: true })
})

function openJournal(): Journal {
  const journal = new Journal(folder, FORMAT)
  opened.push(journal)
  return journal
}

const append = (journal: Journal, entries: readonly unknown[]) =>
  journal.append(entries.map((entry) => JSON.stringify(entry)))

/** What a fold stores; older entries with their version. */
async function folded(journal: Journal): Promise<unknown[]> {
  const all: unknown[] = []
  await journal.fold(async (texts) => {
    for (const { version, json } of texts) {
      all.push(version === FORMAT.version ? JSON.parse(json) : { version, ...JSON.parse(json) })
    }
  })
  return all
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ n: from + n }))

/** All files, of any process. */
const files = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.scans'))
    .map((name) => join(folder, name))

/** Leaves a file behind as an ended process does. Returns its path. */
async function leave(entries: unknown[]): Promise<string> {
  const before = files()
  const journal = new Journal(folder, FORMAT)
  await append(journal, entries)
  await journal.close()
  return files().find((file) => !before.includes(file))!
}

/** Leaves a file with these lines. Returns its path. */
async function leaveLines(...lines: string[]): Promise<string> {
  const file = await leave([{}])
  writeFileSync(file, lines.join(''))
  return file
}

/** Starts another process with a journal on the same folder, and waits until its code has run. */
async function startProcess(code: string, flags: string[] = []): Promise<ChildProcess> {
  const script = `
    import { Journal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)}
    const journal = new Journal(${JSON.stringify(folder)}, { entries: 'scans', version: ${FORMAT.version} })
    const numbers = (from, count) => Array.from({ length: count }, (_, n) => ({ n: from + n }))
    const append = (entries) => journal.append(entries.map((entry) => JSON.stringify(entry)))
    setInterval(() => {}, 1000)
    ${code}
    process.send('ready')`
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.push(child)
  const ready = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => undefined)])
  if (ready === undefined) throw new Error('the process exited before it was ready')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

describe('one process', () => {
  test('stores each entry once, in order', async () => {
    const journal = openJournal()
    await append(journal, numbers(0, 3))
    await append(journal, numbers(3, 4))
    expect(await folded(journal)).toEqual(numbers(0, 7))
    expect(await folded(journal)).toEqual([])
    await append(journal, numbers(7, 1))
    expect(await folded(journal)).toEqual(numbers(7, 1))
    expect(await journal.sizeBytes()).toBe(0)
  })

  test('uses the same two files again and again, and finds nothing of what they held before', async () => {
    const journal = openJournal()
    for (let round = 0; round < 12; round++) {
      // Now and then a short one, behind which older lines stay.
      const entries = numbers(round * 100, round % 3 === 0 ? 50 : 1)
      await append(journal, entries)
      expect(await folded(journal)).toEqual(entries)
    }
    expect(files()).toHaveLength(2)
  })

  test('has nothing to store when it is empty', async () => {
    const journal = openJournal()
    expect(await folded(journal)).toEqual([])
    await append(journal, [])
    expect(await folded(journal)).toEqual([])
  })

  test('keeps all entries of concurrent appends, each complete', async () => {
    const journal = openJournal()
    await Promise.all(Array.from({ length: 50 }, (_, n) => append(journal, numbers(n * 10, 10))))
    expect(await folded(journal)).toEqual(numbers(0, 500))
  })

  test('an entry is on disk as soon as append resolves', async () => {
    const journal = openJournal()
    await append(journal, [{ text: 'durable' }])
    expect(
      files()
        .map((file) => readFileSync(file, 'utf8'))
        .join(),
    ).toContain('{"text":"durable"}')
  })

  test('stores everything again that a fold could not store, and what came later in the same fold', async () => {
    const journal = openJournal()
    await append(journal, numbers(0, 5))
    await expect(journal.fold(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    await append(journal, numbers(5, 2))
    expect(await folded(journal)).toEqual(numbers(0, 7))
  })

  test('entries appended during a fold are part of the next one, also without a failure', async () => {
    const journal = openJournal()
    await append(journal, numbers(0, 3))
    let seen = 0
    await journal.fold(async (texts) => {
      await append(journal, numbers(100, 1))
      seen += texts.length
    })
    expect(seen).toBe(3)
    expect(await folded(journal)).toEqual(numbers(100, 1))
  })

  test('stores large files in pieces of complete lines', async () => {
    const journal = openJournal()
    const text = 'ü🏷'.repeat(20_000)
    for (let n = 0; n < 40; n += 4)
      await append(
        journal,
        numbers(n, 4).map((entry) => ({ ...entry, text })),
      )
    const pieces: unknown[][] = []
    await journal.fold(async (texts) => void pieces.push(texts.map(({ json }) => JSON.parse(json))))
    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.flat()).toEqual(numbers(0, 40).map((entry) => ({ ...entry, text })))
  })

  test('stores less at once while that takes long, and more again when it is quick', async () => {
    const journal = openJournal()
    const text = 'x'.repeat(1000)
    for (let n = 0; n < 4000; n += 1000)
      await append(
        journal,
        numbers(n, 1000).map((entry) => ({ ...entry, text })),
      )
    const lengths: number[] = []
    await journal.fold(async (texts) => {
      lengths.push(texts.length)
      if (lengths.length > 4 && lengths.length <= 8) await new Promise((resolve) => setTimeout(resolve, 30))
    })
    const [first = 0, , , , widest = 0, , , , narrow = 0] = lengths
    expect(lengths.reduce((sum, length) => sum + length)).toBe(4000)
    expect(widest).toBeGreaterThan(4 * first)
    expect(narrow).toBeLessThan(widest / 4)
    expect(lengths[10]).toBeGreaterThan(narrow)
  })

  test('knows since when the oldest entry has been waiting', async () => {
    const journal = openJournal()
    expect(journal.sinceMs).toBeUndefined()
    const fromMs = Date.now()
    await append(journal, numbers(0, 1))
    expect(journal.sinceMs).toBeGreaterThanOrEqual(fromMs)
    await folded(journal)
    expect(journal.sinceMs).toBeUndefined()
  })

  test('returns any entry unchanged', async () => {
    const journal = openJournal()
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\0', '\ufeff', '\ud83c', '🏷'),
    )
    const entry = fc.dictionary(text, fc.oneof(text, fc.array(text), fc.integer(), fc.boolean(), fc.constant(null)), {
      noNullPrototype: true,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 4 }), async (entries) => {
        await append(journal, entries)
        expect(await folded(journal)).toEqual(JSON.parse(JSON.stringify(entries)))
      }),
      { numRuns: 50 },
    )
  })
})

describe('damaged files', () => {
  const entries = [{ n: 1, text: 'ü🏷' }, { n: 2 }, { n: 3, text: 'last' }]

  /** Returns the bytes of an intact file, and a function that folds a file with other bytes in its place. */
  async function damage() {
    const file = await leave(entries)
    const whole = readFileSync(file)
    const journal = openJournal()
    await folded(journal)
    const read = (bytes: Uint8Array) => {
      mkdirSync(dirname(file))
      writeFileSync(file, bytes)
      return folded(journal)
    }
    return { whole, read }
  }

  test('a file cut off at any byte gives exactly the complete lines before it', async () => {
    const { whole, read } = await damage()
    const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at)
    expect(ends).toHaveLength(entries.length)
    for (let length = 0; length <= whole.length; length++) {
      // A line that lacks only its line feed is complete: the checksum covers all of it.
      const expected = entries.filter((_, n) => ends[n]! <= length)
      expect(await read(whole.subarray(0, length)), `${length} bytes`).toEqual(expected)
    }
  })

  test('a file written again, and torn behind its first line, gives the complete new lines and none of the older ones', async () => {
    const line = (generation: number, entry: object) => toLine({ version: 2, generation, json: JSON.stringify(entry) })
    const older = Buffer.from(Array.from({ length: 9 }, (_, n) => line(7, { older: n })).join(''))
    const newer = Buffer.from(entries.map((entry) => line(8, entry)).join(''))
    const ends = [...newer.entries()].filter(([, byte]) => byte === 10).map(([at]) => at)
    const { read } = await damage()
    // If even the first line is torn, nothing says that the others are older. They are then stored again, which changes nothing.
    for (let length = ends[0]! + 1; length <= newer.length; length++) {
      const torn = Buffer.concat([newer.subarray(0, length), older.subarray(length)])
      const expected = entries.filter((_, n) => ends[n]! < length || (ends[n] === length && torn[length] === 10))
      expect(await read(torn), `${length} bytes`).toEqual(expected)
    }
  })

  test('a flipped bit loses its line and no other', async () => {
    const { whole, read } = await damage()
    const lineOf = (at: number) => whole.subarray(0, at).filter((byte) => byte === 10).length
    const columnOf = (at: number) => at - (whole.lastIndexOf(10, at - 1) + 1)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
        // A line feed separates two lines, and the space after the checksum is not covered by it.
        fc.pre(whole[at] !== 10 && columnOf(at) !== 8)
        const damaged = Buffer.from(whole)
        damaged[at]! ^= 1 << bit
        expect(await read(damaged)).toEqual(entries.filter((_, n) => n !== lineOf(at)))
      }),
      { numRuns: 100 },
    )
  })

  test('skips bytes that are not entries', async () => {
    const file = await leave(entries)
    writeFileSync(file, Buffer.concat([Buffer.alloc(5000), Buffer.from('\n\nnonsense\n'), readFileSync(file)]))
    expect(await folded(openJournal())).toEqual(entries)
  })
})

describe('versions', () => {
  const seal = (content: string) => `${crc32(content).toString(16).padStart(8, '0')} ${content}\n`
  /** Lines as the first releases wrote them, and as later ones did. */
  const withoutVersion = (entry: unknown) => seal(JSON.stringify(entry))
  const withoutGeneration = (version: number, entry: unknown) => seal(`v${version} ${JSON.stringify(entry)}`)
  const ofVersion = (version: number, entry: unknown) => toLine({ version, generation: 1, json: JSON.stringify(entry) })

  test('lines of older releases have their version, next to each other and in order', async () => {
    await leaveLines(
      withoutVersion({ n: 1 }),
      withoutGeneration(1, { n: 2 }),
      withoutGeneration(2, { n: 3 }),
      withoutVersion({ n: 4 }),
    )
    const journal = openJournal()
    expect(await folded(journal)).toEqual([{ version: 0, n: 1 }, { version: 1, n: 2 }, { n: 3 }, { version: 0, n: 4 }])
    expect(files()).toEqual([])
  })

  test('damaged lines of older releases are skipped', async () => {
    await leaveLines(
      withoutVersion({ n: 1 }).replace('1', '2'),
      withoutGeneration(1, { n: 2 }).replace('v1', 'v0'),
      ofVersion(3, { n: 3 }).replace('v3', 'v2'),
      withoutVersion({ n: 4 }).slice(0, -3),
    )
    expect(await folded(openJournal())).toEqual([])
    expect(files()).toEqual([])
  })

  test('an older release sees the version of a line first, and keeps a file that it cannot read', () => {
    const [, version] = /^[0-9a-f]{8} v(\d+) /.exec(ofVersion(29, { n: 1 })) ?? []
    expect(version).toBe('29')
  })

  test('a file of a newer version is kept unchanged and reported, and all others are stored', async () => {
    const newer = await leaveLines(ofVersion(3, { n: 1 }), ofVersion(13, { n: 2 }))
    const sibling = join(dirname(newer), newer.endsWith('1.scans') ? '2.scans' : '1.scans')
    writeFileSync(sibling, ofVersion(2, { n: 3 }))
    await leave([{ n: 4 }])
    const before = readFileSync(newer)
    const journal = openJournal()
    const stored: unknown[] = []
    for (let round = 0; round < 2; round++) {
      const failures = await journal.fold(
        async (texts) => void stored.push(...texts.map(({ json }) => JSON.parse(json))),
      )
      expect(failures.map(({ message }) => message)).toEqual([
        `${newer} has lines of version 13, but this release reads versions up to 2. ` +
          'The file is kept. Start the newer release again to store its scans.',
      ])
      expect(stored).toHaveLength(2)
      expect(stored).toEqual(expect.arrayContaining([{ n: 3 }, { n: 4 }]))
      expect(files()).toEqual([newer])
      expect(readFileSync(newer)).toEqual(before)
    }
  })

  test('a kept file is stored by the newer release', async () => {
    await leaveLines(ofVersion(3, { n: 1 }))
    expect(await folded(openJournal())).toEqual([])
    const newer = new Journal(folder, { ...FORMAT, version: 3 })
    opened.push(newer)
    expect(await folded(newer)).toEqual([{ version: 3, n: 1 }])
    expect(files()).toEqual([])
  })

  test('the readable lines of a file with newer ones are stored, and the file is kept', async () => {
    const file = await leaveLines(ofVersion(2, { n: 1 }), ofVersion(3, { n: 2 }), ofVersion(2, { n: 3 }))
    const before = readFileSync(file)
    expect(await folded(openJournal())).toEqual([{ n: 1 }, { n: 3 }])
    expect(readFileSync(file)).toEqual(before)
  })
})

describe('the folder', () => {
  test('ignores other files and folders when it takes over what others have left', async () => {
    writeFileSync(join(folder, '0-notes'), 'not a folder')
    mkdirSync(join(folder, '0-empty'))
    writeFileSync(join(await leave(numbers(0, 3)), '..', 'notes.txt'), 'not a journal')
    const journal = openJournal()
    expect(await folded(journal)).toEqual(numbers(0, 3))
    expect(await folded(journal)).toEqual([])
  })

  test('is empty after all journals are closed', async () => {
    const journals = [new Journal(folder, FORMAT), new Journal(folder, FORMAT)]
    await append(journals[0]!, numbers(0, 3))
    await folded(journals[0]!)
    for (const journal of journals) await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps entries that were not stored before the close, and the next journal takes them over', async () => {
    await leave(numbers(0, 3))
    expect(readdirSync(folder)).toHaveLength(1)
    const next = new Journal(folder, FORMAT)
    expect(await folded(next)).toEqual(numbers(0, 3))
    await next.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps another process’s file that cannot be stored', async () => {
    await leave(numbers(0, 3))
    const next = openJournal()
    await expect(next.fold(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await folded(next)).toEqual(numbers(0, 3))
  })

  test('two concurrent folds get each entry once', async () => {
    await leave(numbers(0, 100))
    const [first, second] = await Promise.all([folded(openJournal()), folded(openJournal())])
    expect([...first, ...second]).toEqual(numbers(0, 100))
  })

  test('is created with the first entry', async () => {
    const deeper = join(folder, 'data', 'scans')
    const journal = new Journal(deeper, FORMAT)
    expect(await folded(journal)).toEqual([])
    expect(existsSync(deeper), 'a process that records nothing needs no disk').toBe(false)
    await append(journal, numbers(0, 1))
    expect(await folded(journal)).toEqual(numbers(0, 1))
    await journal.close()
    expect(readdirSync(deeper)).toEqual([])
  })
})

describe('several processes', () => {
  test('leaves the files of a running process alone, and takes over those of a killed one', async () => {
    const child = await startProcess(`
      await append(numbers(0, 5))
      await journal.fold(() => Promise.reject(new Error('away'))).catch(() => {})
      await append(numbers(5, 5))`)
    const journal = new Journal(folder, FORMAT)
    expect(await folded(journal)).toEqual([])
    await kill(child)
    expect(await journal.sizeBytes(), 'of all processes').toBeGreaterThan(10)
    expect(await folded(journal)).toEqual(numbers(0, 10))
    expect(await journal.sizeBytes()).toBe(0)
    await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('stores a whole file again when the process that took it over is killed', async () => {
    await leave(numbers(0, 10))
    const other = await startProcess(`
      const storing = Promise.withResolvers()
      journal.fold(() => (storing.resolve(), new Promise(() => {})))
      await storing.promise`)
    const journal = new Journal(folder, FORMAT)
    expect(await folded(journal)).toEqual([])
    await kill(other)
    expect(await folded(journal)).toEqual(numbers(0, 10))
    await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('stores its own entries again when the process is killed before the fold has ended, and not after', async () => {
    const killed = async (code: string) => {
      await kill(await startProcess(code))
      return folded(openJournal())
    }
    expect(
      await killed(`
        await append(numbers(0, 10))
        const storing = Promise.withResolvers()
        journal.fold(() => (storing.resolve(), new Promise(() => {})))
        await storing.promise`),
    ).toEqual(numbers(0, 10))
    expect(
      await killed(`
        await append(numbers(0, 10))
        await journal.fold(async () => {})`),
    ).toEqual([])
  })

  test('stores a hundred thousand entries in a process with too little memory to hold them', async () => {
    const journal = new Journal(folder, FORMAT)
    const text = 'x'.repeat(500)
    for (let n = 0; n < 100_000; n += 5000) {
      await append(
        journal,
        numbers(n, 5000).map((entry) => ({ ...entry, text })),
      )
    }
    await journal.close()
    const child = await startProcess(
      `let next = 0
       await journal.fold(async (texts) => {
         for (const { json } of texts) {
           const { n, text } = JSON.parse(json)
           if (n !== next++ || text.length !== 500) process.exit(1)
         }
         await new Promise(setImmediate)
       })
       if (next !== 100_000) process.exit(1)
       await journal.close()`,
      ['--max-old-space-size=32'],
    )
    await kill(child)
    expect(readdirSync(folder)).toEqual([])
  })
})
