import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Journal } from './journal.ts'

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
  const journal = new Journal<unknown>(folder)
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

/** The files with entries, wherever they are. */
const segments = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.scans'))
    .map((name) => join(folder, name))

/** What a journal holds that was filled and then left to somebody else, in one file. */
async function leaveBehind(entries: unknown[]): Promise<string> {
  const journal = new Journal<unknown>(folder)
  await journal.append(entries)
  await journal.close()
  return segments().at(-1)!
}

/** Another process with a journal on the same folder. Answers when its code has said that it is ready. */
async function startProcess(code: string, flags: string[] = []): Promise<ChildProcess> {
  const script = `
    import { Journal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)}
    const journal = new Journal(${JSON.stringify(folder)})
    const numbers = (from, count) => Array.from({ length: count }, (_, n) => ({ n: from + n }))
    setInterval(() => {}, 1000)
    ${code}
    process.send('ready')`
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.push(child)
  const ready = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => undefined)])
  if (ready === undefined) throw new Error('the process ended')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

describe('one process', () => {
  test('what was appended and sealed is handed over in order and in batches, once', async () => {
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

  test('what is not sealed waits', async () => {
    const journal = openJournal()
    await journal.append(numbers(0, 1))
    expect(await drained(journal)).toEqual([])
    await journal.seal()
    await journal.append(numbers(1, 1))
    expect(await drained(journal)).toEqual(numbers(0, 1))
    await journal.seal()
    expect(await drained(journal)).toEqual(numbers(1, 1))
  })

  test('without anything in it there is nothing to hand over, and sealing it twice is no harm', async () => {
    const journal = openJournal()
    await journal.seal()
    await journal.append([])
    await journal.seal()
    await journal.seal()
    expect(await drained(journal)).toEqual([])
  })

  test('many who append at once are all there, each whole', async () => {
    const journal = openJournal()
    await Promise.all(Array.from({ length: 50 }, (_, n) => journal.append(numbers(n * 10, 10))))
    await journal.seal()
    expect(await drained(journal)).toEqual(numbers(0, 500))
  })

  test('an entry is there as soon as append resolves', async () => {
    const journal = openJournal()
    await journal.append([{ text: 'durable' }])
    expect(readFileSync(segments()[0]!, 'utf8')).toContain('{"text":"durable"}')
  })

  test('what store refuses stays, and all of its file is handed over again', async () => {
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

  test('what is appended during a drain is in the next one', async () => {
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

  test('a drain at the very moment in which a file is being made leaves it alone', async () => {
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

  test('any entry comes back as it was', async () => {
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

describe('what was not written whole', () => {
  const entries = [{ n: 1, text: 'ü🏷' }, { n: 2 }, { n: 3, text: 'last' }]

  /** The bytes of a file that was left behind, and what somebody reads there who takes over such a file. */
  async function leave() {
    const file = await leaveBehind(entries)
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

  test('a file that ends anywhere gives all lines before its end, and nothing else', async () => {
    const { whole, read } = await leave()
    const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at)
    expect(ends).toHaveLength(entries.length)
    for (let length = 0; length <= whole.length; length++) {
      // A line of which only the end of line is missing is whole: the checksum covers all of it.
      const expected = entries.filter((_, n) => ends[n]! <= length)
      expect(await read(whole.subarray(0, length)), `${length} bytes`).toEqual(expected)
    }
  })

  test('a flipped bit costs the line that it is in, and no other', async () => {
    const { whole, read } = await leave()
    const lineOf = (at: number) => whole.subarray(0, at).filter((byte) => byte === 10).length
    const columnOf = (at: number) => at - (whole.lastIndexOf(10, at - 1) + 1)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
        // The end of a line belongs to two, and what stands between checksum and entry to nobody.
        fc.pre(whole[at] !== 10 && columnOf(at) !== 8)
        const damaged = Buffer.from(whole)
        damaged[at]! ^= 1 << bit
        expect(await read(damaged)).toEqual(entries.filter((_, n) => n !== lineOf(at)))
      }),
      { numRuns: 100 },
    )
  })

  test('bytes that mean nothing are passed over', async () => {
    const file = await leaveBehind(entries)
    writeFileSync(file, Buffer.concat([Buffer.alloc(5000), Buffer.from('\n\nnonsense\n'), readFileSync(file)]))
    expect(await drained(openJournal())).toEqual(entries)
  })
})

describe('the folder', () => {
  test('whatever else lies there keeps nobody from what was left behind', async () => {
    writeFileSync(join(folder, '0-notes'), 'not a folder')
    mkdirSync(join(folder, '0-empty'))
    writeFileSync(join(await leaveBehind(numbers(0, 3)), '..', 'notes.txt'), 'not a segment')
    const journal = openJournal()
    expect(await drained(journal)).toEqual(numbers(0, 3))
    expect(await drained(journal)).toEqual([])
  })

  test('is empty after everybody closed cleanly', async () => {
    const journals = [new Journal<unknown>(folder), new Journal<unknown>(folder)]
    await journals[0]!.append(numbers(0, 3))
    await journals[0]!.seal()
    await drained(journals[0]!)
    for (const journal of journals) await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps what was not handed over before the close, and the next one takes it over', async () => {
    await leaveBehind(numbers(0, 3))
    expect(readdirSync(folder)).toHaveLength(1)
    const next = new Journal<unknown>(folder)
    expect(await drained(next)).toEqual(numbers(0, 3))
    await next.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('what store refuses of somebody else’s stays there, too', async () => {
    await leaveBehind(numbers(0, 3))
    const next = openJournal()
    await expect(next.drain(2, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await drained(next)).toEqual(numbers(0, 3))
  })

  test('of two who drain at once each entry goes to one', async () => {
    await leaveBehind(numbers(0, 100))
    const [one, two] = [openJournal(), openJournal()]
    const [first, second] = await Promise.all([drained(one, 10), drained(two, 10)])
    expect([...first, ...second]).toEqual(numbers(0, 100))
  })

  test('is made when it is not there', async () => {
    const deeper = join(folder, 'data', 'scans')
    const journal = new Journal<unknown>(deeper)
    expect(existsSync(deeper)).toBe(true)
    await journal.close()
  })
})

describe('several processes', () => {
  test('what a living one holds is left to it; what a killed one left is taken over', async () => {
    const child = await startProcess(`
      await journal.append(numbers(0, 5))
      await journal.seal()
      await journal.append(numbers(5, 5))`)
    const journal = new Journal<unknown>(folder)
    expect(await drained(journal)).toEqual([])
    await kill(child)
    expect(await drained(journal)).toEqual(numbers(0, 10))
    await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('what was being taken over by one that was killed is handed over again, all of it', async () => {
    await leaveBehind(numbers(0, 10))
    const thief = await startProcess(`
      const drained = Promise.withResolvers()
      journal.drain(4, () => (drained.resolve(), new Promise(() => {})))
      await drained.promise`)
    const journal = new Journal<unknown>(folder)
    expect(await drained(journal)).toEqual([])
    await kill(thief)
    expect(await drained(journal)).toEqual(numbers(0, 10))
    await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('one that is killed after it stored and before it deleted leaves all to be stored again', async () => {
    await leaveBehind(numbers(0, 10))
    const other = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { Journal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)}
         const journal = new Journal(${JSON.stringify(folder)})
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

  test('a hundred thousand entries pass through a process that could not hold them', async () => {
    const journal = new Journal<unknown>(folder)
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
