import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Journal, type JournalFormat } from './journal.ts'
import { toLine } from './journal-line.ts'

/** A version in the middle, so that there are older and newer ones. */
const FORMAT: JournalFormat<unknown> = {
  entries: 'scans',
  version: 2,
  upgrade: (version, entry) => ({ upgradedFrom: version, ...(entry as object) }),
}

let folder: string
let opened: Journal<unknown>[]
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

function openJournal(): Journal<unknown> {
  const journal = new Journal<unknown>(folder, FORMAT)
  opened.push(journal)
  return journal
}

async function drained(journal: Journal<unknown>, batch = 1000): Promise<unknown[]> {
  const all: unknown[] = []
  await journal.drain(batch, async (entries) => {
    all.push(...entries)
  })
  return all
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ n: from + n }))

/** All segment files, of any process. */
const segments = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.scans'))
    .map((name) => join(folder, name))

/** Leaves a segment behind as an ended process does. Returns its path. */
async function leaveSegment(entries: unknown[]): Promise<string> {
  const journal = new Journal<unknown>(folder, FORMAT)
  await journal.append(entries)
  await journal.close()
  return segments().at(-1)!
}

/** Starts another process with a journal on the same folder, and waits until its code has run. */
async function startProcess(code: string, flags: string[] = []): Promise<ChildProcess> {
  const script = `
    import { Journal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)}
    const journal = new Journal(${JSON.stringify(folder)}, { entries: 'scans', version: ${FORMAT.version} })
    const numbers = (from, count) => Array.from({ length: count }, (_, n) => ({ n: from + n }))
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
  test('drains sealed entries once, in order and in batches', async () => {
    const journal = openJournal()
    await journal.append(numbers(0, 3))
    await journal.append(numbers(3, 4))
    await journal.seal()
    const batches: unknown[][] = []
    await journal.drain(3, async (entries) => {
      batches.push(entries)
    })
    expect(batches).toEqual([numbers(0, 3), numbers(3, 3), numbers(6, 1)])
    expect(await drained(journal)).toEqual([])
    expect(segments()).toEqual([])
  })

  test('does not drain entries that are not sealed', async () => {
    const journal = openJournal()
    await journal.append(numbers(0, 1))
    expect(await drained(journal)).toEqual([])
    await journal.seal()
    await journal.append(numbers(1, 1))
    expect(await drained(journal)).toEqual(numbers(0, 1))
    await journal.seal()
    expect(await drained(journal)).toEqual(numbers(1, 1))
  })

  test('drains nothing when it is empty, and may be sealed twice', async () => {
    const journal = openJournal()
    await journal.seal()
    await journal.append([])
    await journal.seal()
    await journal.seal()
    expect(await drained(journal)).toEqual([])
  })

  test('keeps all entries of concurrent appends, each complete', async () => {
    const journal = openJournal()
    await Promise.all(Array.from({ length: 50 }, (_, n) => journal.append(numbers(n * 10, 10))))
    await journal.seal()
    expect(await drained(journal)).toEqual(numbers(0, 500))
  })

  test('an entry is on disk as soon as append resolves', async () => {
    const journal = openJournal()
    await journal.append([{ text: 'durable' }])
    expect(readFileSync(segments()[0]!, 'utf8')).toContain('{"text":"durable"}')
  })

  test('keeps a segment that store rejects, and drains all of it again', async () => {
    const journal = openJournal()
    await journal.append(numbers(0, 5))
    await journal.seal()
    let calls = 0
    const refusing = journal.drain(2, async () => {
      if (++calls === 2) throw new Error('refused')
    })
    await expect(refusing).rejects.toThrow('refused')
    expect(calls).toBe(2)
    expect(await drained(journal)).toEqual(numbers(0, 5))
  })

  test('entries appended during a drain are part of the next one', async () => {
    const journal = openJournal()
    await journal.append(numbers(0, 3))
    await journal.seal()
    const seen: unknown[] = []
    await journal.drain(1, async (entries) => {
      await journal.append(numbers(100 + seen.length, 1))
      await journal.seal()
      seen.push(...entries)
    })
    expect(seen).toEqual(numbers(0, 3))
    expect(await drained(journal)).toEqual(numbers(100, 3))
  })

  test('a drain ignores a segment that is just being created', async () => {
    const journal = openJournal()
    for (let n = 0; n < 10; n++) {
      const appended = journal.append([{ n }])
      while (segments().length === 0) await new Promise(setImmediate)
      expect(await drained(journal)).toEqual([])
      await appended
      await journal.seal()
      expect(await drained(journal)).toEqual([{ n }])
    }
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
        await journal.append(entries)
        await journal.seal()
        expect(await drained(journal)).toEqual(JSON.parse(JSON.stringify(entries)))
      }),
      { numRuns: 50 },
    )
  })
})

describe('damaged segments', () => {
  const entries = [{ n: 1, text: 'ü🏷' }, { n: 2 }, { n: 3, text: 'last' }]

  /** Returns the bytes of an intact segment, and a function that drains a segment with other bytes in its place. */
  async function damage() {
    const file = await leaveSegment(entries)
    const whole = readFileSync(file)
    const journal = openJournal()
    await drained(journal)
    const read = (bytes: Uint8Array) => {
      mkdirSync(dirname(file))
      writeFileSync(file, bytes)
      return drained(journal)
    }
    return { whole, read }
  }

  test('a segment cut off at any byte gives exactly the complete lines before it', async () => {
    const { whole, read } = await damage()
    const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at)
    expect(ends).toHaveLength(entries.length)
    for (let length = 0; length <= whole.length; length++) {
      // A line that lacks only its line feed is complete: the checksum covers all of it.
      const expected = entries.filter((_, n) => ends[n]! <= length)
      expect(await read(whole.subarray(0, length)), `${length} bytes`).toEqual(expected)
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
    const file = await leaveSegment(entries)
    writeFileSync(file, Buffer.concat([Buffer.alloc(5000), Buffer.from('\n\nnonsense\n'), readFileSync(file)]))
    expect(await drained(openJournal())).toEqual(entries)
  })
})

describe('versions', () => {
  /** A line as the first releases wrote it. */
  const toOldLine = (entry: unknown) => {
    const json = JSON.stringify(entry)
    return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
  }

  /** Leaves a segment with these lines. Returns its path. */
  async function leaveLines(...lines: string[]): Promise<string> {
    const file = await leaveSegment([])
    writeFileSync(file, lines.join(''))
    return file
  }

  test('a line without a version is upgraded from version 0', async () => {
    await leaveLines(toOldLine({ n: 1 }), toOldLine({ n: 2 }))
    const journal = openJournal()
    expect(await drained(journal)).toEqual([
      { upgradedFrom: 0, n: 1 },
      { upgradedFrom: 0, n: 2 },
    ])
    expect(segments()).toEqual([])
  })

  test('a damaged line without a version is skipped', async () => {
    await leaveLines(toOldLine({ n: 1 }).replace('1', '2'), toOldLine({ n: 3 }).slice(0, -3))
    expect(await drained(openJournal())).toEqual([])
    expect(segments()).toEqual([])
  })

  test('in a mixed segment each line is upgraded from its own version, in order', async () => {
    await leaveLines(toLine(1, { n: 1 }), toOldLine({ n: 2 }), toLine(2, { n: 3 }), toLine(1, { n: 4 }))
    const journal = openJournal()
    expect(await drained(journal, 3)).toEqual([
      { upgradedFrom: 1, n: 1 },
      { upgradedFrom: 0, n: 2 },
      { n: 3 },
      { upgradedFrom: 1, n: 4 },
    ])
    expect(segments()).toEqual([])
  })

  test('the checksum covers the version', async () => {
    await leaveLines(toLine(3, { n: 1 }).replace('v3', 'v2'))
    expect(await drained(openJournal())).toEqual([])
    expect(segments()).toEqual([])
  })

  test('a segment of a newer version is kept unchanged and reported, and all other segments are drained', async () => {
    const newer = await leaveLines(toLine(3, { n: 1 }), toLine(13, { n: 2 }))
    const sibling = join(dirname(newer), '2.scans')
    writeFileSync(sibling, toLine(2, { n: 3 }))
    await leaveSegment([{ n: 4 }])
    const before = readFileSync(newer)
    const journal = openJournal()
    const entries: unknown[] = []
    const store = async (batch: unknown[]) => void entries.push(...batch)
    for (let drain = 0; drain < 2; drain++) {
      const failures = await journal.drain(10, store)
      expect(failures.map(({ message }) => message)).toEqual([
        `${newer} has lines of version 13, but this release reads versions up to 2. ` +
          'The file is kept. Start the newer release again to store its scans.',
      ])
      expect(entries).toHaveLength(2)
      expect(entries).toEqual(expect.arrayContaining([{ n: 3 }, { n: 4 }]))
      expect(segments()).toEqual([newer])
      expect(readFileSync(newer)).toEqual(before)
    }
  })

  test('a kept segment is drained by the newer release', async () => {
    await leaveLines(toLine(3, { n: 1 }))
    expect(await drained(openJournal())).toEqual([])
    const newer = new Journal<unknown>(folder, { ...FORMAT, version: 3 })
    opened.push(newer)
    expect(await drained(newer)).toEqual([{ n: 1 }])
    expect(segments()).toEqual([])
  })

  test('the readable lines of a segment with newer ones are stored, and the segment is kept', async () => {
    const file = await leaveLines(toLine(2, { n: 1 }), toLine(3, { n: 2 }), toLine(2, { n: 3 }))
    const before = readFileSync(file)
    expect(await drained(openJournal())).toEqual([{ n: 1 }, { n: 3 }])
    expect(readFileSync(file)).toEqual(before)
  })
})

describe('the folder', () => {
  test('ignores other files and folders when it takes over segments', async () => {
    writeFileSync(join(folder, '0-notes'), 'not a folder')
    mkdirSync(join(folder, '0-empty'))
    writeFileSync(join(await leaveSegment(numbers(0, 3)), '..', 'notes.txt'), 'not a segment')
    const journal = openJournal()
    expect(await drained(journal)).toEqual(numbers(0, 3))
    expect(await drained(journal)).toEqual([])
  })

  test('is empty after all journals are closed', async () => {
    const journals = [new Journal<unknown>(folder, FORMAT), new Journal<unknown>(folder, FORMAT)]
    await journals[0]!.append(numbers(0, 3))
    await journals[0]!.seal()
    await drained(journals[0]!)
    for (const journal of journals) await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps entries that were not drained before the close, and the next journal takes them over', async () => {
    await leaveSegment(numbers(0, 3))
    expect(readdirSync(folder)).toHaveLength(1)
    const next = new Journal<unknown>(folder, FORMAT)
    expect(await drained(next)).toEqual(numbers(0, 3))
    await next.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps another process’s segment that store rejects', async () => {
    await leaveSegment(numbers(0, 3))
    const next = openJournal()
    await expect(next.drain(2, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await drained(next)).toEqual(numbers(0, 3))
  })

  test('two concurrent drains get each entry once', async () => {
    await leaveSegment(numbers(0, 100))
    const [one, two] = [openJournal(), openJournal()]
    const [first, second] = await Promise.all([drained(one, 10), drained(two, 10)])
    expect([...first, ...second]).toEqual(numbers(0, 100))
  })

  test('is created if it does not exist', async () => {
    const deeper = join(folder, 'data', 'scans')
    const journal = new Journal<unknown>(deeper, FORMAT)
    expect(existsSync(deeper)).toBe(true)
    await journal.close()
  })
})

describe('several processes', () => {
  test('leaves the segments of a running process alone, and takes over those of a killed one', async () => {
    const child = await startProcess(`
      await journal.append(numbers(0, 5))
      await journal.seal()
      await journal.append(numbers(5, 5))`)
    const journal = new Journal<unknown>(folder, FORMAT)
    expect(await drained(journal)).toEqual([])
    await kill(child)
    expect(await journal.sizeBytes(), 'of all processes').toBeGreaterThan(10)
    expect(await drained(journal)).toEqual(numbers(0, 10))
    expect(await journal.sizeBytes()).toBe(0)
    await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('drains a whole segment again when the process that took it over is killed', async () => {
    await leaveSegment(numbers(0, 10))
    const other = await startProcess(`
      const drained = Promise.withResolvers()
      journal.drain(4, () => (drained.resolve(), new Promise(() => {})))
      await drained.promise`)
    const journal = new Journal<unknown>(folder, FORMAT)
    expect(await drained(journal)).toEqual([])
    await kill(other)
    expect(await drained(journal)).toEqual(numbers(0, 10))
    await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('drains a segment again when the process is killed between storing and deleting it', async () => {
    await leaveSegment(numbers(0, 10))
    const other = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { Journal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)}
         const journal = new Journal(${JSON.stringify(folder)}, { entries: 'scans', version: ${FORMAT.version} })
         let stored = 0
         await journal.drain(5, async (entries) => {
           stored += entries.length
           if (stored === 10) process.kill(process.pid, 'SIGKILL')
         })`,
      ],
      { stdio: 'ignore' },
    )
    children.push(other)
    expect(await once(other, 'exit')).toEqual([null, 'SIGKILL'])
    const journal = openJournal()
    expect(await drained(journal)).toEqual(numbers(0, 10))
  })

  test('drains a hundred thousand entries in a process with too little memory to hold them', async () => {
    const journal = new Journal<unknown>(folder, FORMAT)
    const text = 'x'.repeat(500)
    for (let n = 0; n < 100_000; n += 5000) {
      await journal.append(numbers(n, 5000).map((entry) => ({ ...entry, text })))
    }
    await journal.close()
    const child = await startProcess(
      `let next = 0
       await journal.drain(1000, async (entries) => {
         for (const { n, text } of entries) if (n !== next++ || text.length !== 500) process.exit(1)
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
