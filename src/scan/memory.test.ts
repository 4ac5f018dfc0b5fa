import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../platform/db/failures.ts'
import { Memory, type MemoryOptions } from './memory.ts'

/** A look-up that the test answers when it likes. */
interface LookUp {
  keys: readonly string[]
  answer(found: Record<string, string>): Promise<void>
  fail(error: unknown): Promise<void>
}

let lookUps: LookUp[]
let nowMs: number

beforeEach(() => {
  lookUps = []
  nowMs = 1_800_000_000_000
})
afterEach(() => {
  vi.useRealTimers()
})

/** Whatever can go on by itself has gone on: nothing here waits for more than a few promises. */
async function settled(): Promise<void> {
  for (let n = 0; n < 20; n++) await undefined
}

function createMemory(options: Partial<MemoryOptions<string>> = {}): Memory<string> {
  return new Memory<string>({
    load: (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
      lookUps.push({
        keys,
        answer: (found) => {
          resolve(new Map(Object.entries(found)))
          return settled()
        },
        fail: (error) => {
          reject(error)
          return settled()
        },
      })
      return promise
    },
    sizeOf: (value) => value.length,
    bytesMax: 1_000_000,
    clock: () => nowMs,
    availability: { isAway: false },
    ...options,
  })
}

function createToldMemory(): Memory<string> {
  const memory = createMemory()
  memory.told(true)
  return memory
}

/** A memory that knows a value under `a`. */
async function createKnowing(value = 'old'): Promise<Memory<string>> {
  const memory = createToldMemory()
  const found = memory.find('a')
  await lookUps.shift()!.answer({ a: value })
  expect(await found).toBe(value)
  return memory
}

const away = () => new DatabaseUnavailable('away', undefined)
const outcome = (found: Promise<string | undefined>) => found.catch((error: unknown) => error)

describe('asking', () => {
  test('what is remembered is answered at once, and asked once only', async () => {
    const memory = await createKnowing()
    expect(memory.peek('a')).toBe('old')
    expect(await memory.find('a')).toBe('old')
    expect(lookUps).toEqual([])
  })

  test('however many ask for one key, one look-up answers all of them', async () => {
    const memory = createToldMemory()
    const asked = Array.from({ length: 1000 }, () => memory.find('a'))
    await settled()
    asked.push(memory.find('a'))
    expect(lookUps.map(({ keys }) => keys)).toEqual([['a']])
    await lookUps[0]!.answer({ a: 'one' })
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['one']))
    expect(lookUps).toHaveLength(1)
  })

  test('many keys are looked up in batches, one after the other and in the order of asking', async () => {
    const memory = createToldMemory()
    const keys = Array.from({ length: 200 }, (_, n) => `k${n}`)
    const asked = keys.map((key) => memory.find(key))
    for (let n = 0; n < 5; n++) {
      await settled()
      // Never a second one while one is under way.
      expect(lookUps).toHaveLength(n + 1)
      await lookUps[n]!.answer(Object.fromEntries(lookUps[n]!.keys.map((key) => [key, `value of ${key}`])))
    }
    expect(lookUps.map((lookUp) => lookUp.keys.length)).toEqual([1, 64, 64, 64, 7])
    expect(lookUps.flatMap((lookUp) => lookUp.keys)).toEqual(keys)
    expect(await Promise.all(asked)).toEqual(keys.map((key) => `value of ${key}`))
    expect(keys.map((key) => memory.peek(key))).toEqual(keys.map((key) => `value of ${key}`))
  })

  test('what is not there is asked for once, and again when it is forgotten', async () => {
    const memory = createToldMemory()
    const unknown = memory.find('a')
    await lookUps[0]!.answer({})
    expect(await unknown).toBeUndefined()
    expect(memory.peek('a')).toBeNull()
    expect(await memory.find('a')).toBeUndefined()
    expect(lookUps).toHaveLength(1)
    memory.forget('a')
    expect(memory.peek('a')).toBeUndefined()
    const found = memory.find('a')
    await lookUps[1]!.answer({ a: 'new' })
    expect(await found).toBe('new')
  })

  test('what is not there is asked for again after five seconds, though nobody announced anything', async () => {
    const memory = createToldMemory()
    const unknown = memory.find('a')
    await lookUps[0]!.answer({})
    await unknown
    nowMs += 4999
    expect(memory.peek('a')).toBeNull()
    nowMs += 1
    expect(memory.peek('a')).toBeUndefined()
    const found = memory.find('a')
    await lookUps[1]!.answer({ a: 'new' })
    expect(await found).toBe('new')
  })

  test('an answer with more keys than were asked for adds nothing', async () => {
    const memory = createToldMemory()
    const found = memory.find('a')
    await lookUps[0]!.answer({ a: 'one', b: 'two' })
    expect(await found).toBe('one')
    expect(memory.peek('b')).toBeUndefined()
  })
})

describe('forgetting', () => {
  test('what was forgotten is asked for again, and nothing else', async () => {
    const memory = await createKnowing()
    const other = memory.find('b')
    await lookUps.shift()!.answer({ b: 'other' })
    await other
    memory.forget('a')
    expect(memory.peek('a')).toBeUndefined()
    expect(memory.peek('b')).toBe('other')
    const found = memory.find('a')
    expect(lookUps.map(({ keys }) => keys)).toEqual([['a']])
    await lookUps[0]!.answer({ a: 'new' })
    expect(await found).toBe('new')
  })

  test.each<[string, { a?: string }]>([
    ['a value', { a: 'old' }],
    ['nothing', {}],
  ])(
    'what is forgotten during a look-up is not kept when it finds %s, and whoever asks later gets the new one',
    async (_what, old) => {
      const memory = createToldMemory()
      const before = memory.find('a')
      memory.forget('a')
      const after = memory.find('a')
      await lookUps[0]!.answer(old as Record<string, string>)
      expect(await before).toBe(old.a)
      expect(memory.peek('a')).toBeUndefined()
      await lookUps[1]!.answer({ a: 'new' })
      expect(await after).toBe('new')
      expect(memory.peek('a')).toBe('new')
      expect(lookUps).toHaveLength(2)
    },
  )

  test('a look-up that fails after it was forgotten leaves the one that replaced it alone', async () => {
    const memory = createToldMemory()
    const before = outcome(memory.find('a'))
    memory.forget('a')
    const after = memory.find('a')
    await lookUps[0]!.fail(new Error('broken'))
    expect(await before).toEqual(new Error('broken'))
    const joined = memory.find('a')
    await lookUps[1]!.answer({ a: 'new' })
    expect(await Promise.all([after, joined])).toEqual(['new', 'new'])
    expect(lookUps).toHaveLength(2)
  })

  test('forgotten again and again while it waits, a key stands once in the next look-up, and all hear the newest', async () => {
    const memory = createToldMemory()
    const first = memory.find('x')
    const waiting = Array.from({ length: 10 }, () => {
      memory.forget('a')
      return memory.find('a')
    })
    await lookUps[0]!.answer({})
    expect(lookUps[1]!.keys).toEqual(['a'])
    await lookUps[1]!.answer({ a: 'new' })
    expect(await Promise.all([first, ...waiting])).toEqual([undefined, ...waiting.map(() => 'new')])
    expect(memory.peek('a')).toBe('new')
  })
})

describe('when changes may be missed', () => {
  test('before anybody said that changes are told, everything is asked each time', async () => {
    const memory = createMemory()
    for (const value of ['one', 'two', 'three']) {
      expect(memory.peek('a')).toBeUndefined()
      const found = memory.find('a')
      await lookUps.pop()!.answer({ a: value })
      expect(await found).toBe(value)
    }
  })

  test.each([false, true])('once told(%s) was said, what was known is asked anew', async (isTold) => {
    const memory = await createKnowing()
    memory.told(isTold)
    expect(memory.peek('a')).toBeUndefined()
    const found = memory.find('a')
    await lookUps.shift()!.answer({ a: 'new' })
    expect(await found).toBe('new')
    expect(memory.peek('a')).toBe(isTold ? 'new' : undefined)
  })

  test('what was not there is asked anew, too', async () => {
    const memory = createToldMemory()
    const unknown = memory.find('a')
    await lookUps[0]!.answer({})
    await unknown
    memory.told(false)
    memory.told(true)
    expect(memory.peek('a')).toBeUndefined()
  })

  test('a look-up from before is not trusted afterwards, and not joined', async () => {
    const memory = createToldMemory()
    const before = memory.find('a')
    memory.told(false)
    memory.told(true)
    const after = memory.find('a')
    await lookUps[0]!.answer({ a: 'old' })
    expect(await before).toBe('old')
    expect(memory.peek('a')).toBeUndefined()
    await lookUps[1]!.answer({ a: 'new' })
    expect(await after).toBe('new')
    expect(memory.peek('a')).toBe('new')
  })
})

describe('when the database is away', () => {
  test('what is remembered is answered, what is not cannot be', async () => {
    const memory = await createKnowing()
    memory.told(false)
    const [known, unknown] = [memory.find('a'), outcome(memory.find('b'))]
    await lookUps.shift()!.fail(away())
    expect(await known).toBe('old')
    await lookUps.shift()?.fail(away())
    expect(await unknown).toBeInstanceOf(DatabaseUnavailable)
  })

  test('from then on nobody who remembers waits, and one look-up at a time finds out when it is back', async () => {
    const memory = await createKnowing()
    memory.told(false)
    const first = memory.find('a')
    await lookUps.shift()!.fail(away())
    expect(await first).toBe('old')
    for (let n = 0; n < 10; n++) expect(await memory.find('a')).toBe('old')
    expect(lookUps).toHaveLength(1)
    await lookUps.shift()!.fail(away())
    expect(await memory.find('a')).toBe('old')
    await lookUps.shift()!.answer({ a: 'new' })
    const back = memory.find('a')
    await lookUps.shift()!.answer({ a: 'newer' })
    expect(await back).toBe('newer')
  })

  test('what one memory finds out about the database spares the others the waiting', async () => {
    const availability = { isAway: false }
    const [one, other] = [createMemory({ availability }), createMemory({ availability })]
    for (const memory of [one, other]) {
      const found = memory.find('a')
      await lookUps.shift()!.answer({ a: 'old' })
      await found
    }
    const waited = one.find('a')
    await lookUps.shift()!.fail(away())
    expect(await waited).toBe('old')
    expect(await other.find('a')).toBe('old')
    expect(lookUps).toHaveLength(1)
    await lookUps.shift()!.answer({ a: 'new' })
    expect(availability.isAway).toBe(false)
  })

  test('who remembers nothing asks at once, so that the first answer is not waited for longer than need be', async () => {
    const memory = createToldMemory()
    const failing = outcome(memory.find('a'))
    await lookUps.shift()!.fail(away())
    expect(await failing).toBeInstanceOf(DatabaseUnavailable)
    const found = memory.find('a')
    await lookUps.shift()!.answer({ a: 'new' })
    expect(await found).toBe('new')
    expect(memory.peek('a')).toBe('new')
  })

  test('what was forgotten is not answered from memory: it is known to be out of date', async () => {
    const memory = await createKnowing()
    memory.forget('a')
    const found = outcome(memory.find('a'))
    await lookUps.shift()!.fail(away())
    expect(await found).toBeInstanceOf(DatabaseUnavailable)
  })

  test('what turned out to be no more is not answered from memory, and not asked for each time', async () => {
    const memory = await createKnowing()
    memory.told(true)
    const gone = memory.find('a')
    await lookUps.shift()!.answer({})
    expect(await gone).toBeUndefined()
    expect(memory.peek('a')).toBeNull()
    memory.told(false)
    const found = outcome(memory.find('a'))
    await lookUps.shift()!.fail(away())
    expect(await found).toBeInstanceOf(DatabaseUnavailable)
  })

  test('a look-up without an answer counts as away after a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const memory = await createKnowing()
    memory.told(false)
    const states = { known: 'waits', unknown: 'waits' }
    void memory.find('a').then((value) => {
      states.known = value!
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(states.known).toBe('waits')
    await vi.advanceTimersByTimeAsync(1)
    expect(states.known).toBe('old')
    void memory.find('b').catch((error: Error) => {
      states.unknown = error.name
    })
    await vi.advanceTimersByTimeAsync(1000)
    expect(states.unknown).toBe('DatabaseUnavailable')
  })

  test('an answer that comes too late is not kept', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const memory = createToldMemory()
    const given = outcome(memory.find('a'))
    await vi.advanceTimersByTimeAsync(1000)
    expect(await given).toBeInstanceOf(DatabaseUnavailable)
    await lookUps.shift()!.answer({ a: 'late' })
    expect(memory.peek('a')).toBeUndefined()
  })

  test('who asked while others waited in vain does not wait in vain after them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const memory = await createKnowing()
    memory.told(false)
    // Far more than one look-up takes, as when somebody guesses addresses.
    const guesses = Array.from({ length: 1000 }, (_, n) => outcome(memory.find(`guess${n}`)))
    const known = memory.find('a')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await known).toBe('old')
    for (const error of await Promise.all(guesses)) expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(lookUps).toHaveLength(1)
  })

  test('after it came back everything is as before', async () => {
    const memory = await createKnowing()
    memory.told(false)
    const during = memory.find('a')
    await lookUps.shift()!.fail(away())
    await during
    memory.told(true)
    const found = memory.find('a')
    await lookUps.shift()!.answer({ a: 'new' })
    expect(await found).toBe('new')
    expect(memory.peek('a')).toBe('new')
  })

  test('any other failure is told to everybody who waits, and the next one asks again', async () => {
    const memory = await createKnowing()
    memory.told(true)
    const asked = [outcome(memory.find('a')), outcome(memory.find('a'))]
    await lookUps.shift()!.fail(new TypeError('broken'))
    expect(await Promise.all(asked)).toEqual([new TypeError('broken'), new TypeError('broken')])
    const found = memory.find('a')
    await lookUps.shift()!.answer({ a: 'new' })
    expect(await found).toBe('new')
  })

  test('a loader that throws at once is a look-up that failed', async () => {
    let isBroken = true
    const memory = createMemory({
      load: (keys) => {
        if (isBroken) throw away()
        return Promise.resolve(new Map(keys.map((key) => [key, 'new'])))
      },
    })
    memory.told(true)
    expect(await outcome(memory.find('a'))).toBeInstanceOf(DatabaseUnavailable)
    isBroken = false
    expect(await memory.find('a')).toBe('new')
  })
})

describe('the bound', () => {
  const createFull = (sizeOf: (value: string) => number) => {
    const load = async (keys: readonly string[]) =>
      new Map(keys.filter((key) => !key.startsWith('no')).map((key) => [key, key]))
    const memory = createMemory({ bytesMax: 100_000, sizeOf, load })
    memory.told(true)
    return memory
  }
  const many = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n + 100_000}`)

  test('is kept however much is found; what was used last stays', async () => {
    const memory = createFull(() => 900)
    const keys = many('key', 1000)
    for (const key of keys) await memory.find(key)
    const kept = keys.filter((key) => memory.peek(key) !== undefined)
    expect(kept.length * (900 + 9)).toBeLessThanOrEqual(100_000)
    expect(kept.length).toBeGreaterThan(80)
    expect(kept).toEqual(keys.slice(-kept.length))
  })

  test('is kept however much is not there', async () => {
    const memory = createFull(() => 900)
    const keys = many('no', 60_000)
    await Promise.all(keys.map((key) => memory.find(key)))
    const kept = keys.filter((key) => memory.peek(key) === null)
    expect(kept).toEqual(keys.slice(-50_000))
  })

  test('what is larger than all of it is answered, and drives nothing out', async () => {
    const memory = createFull((value) => (value === 'huge' ? 200_000 : 900))
    await memory.find('small')
    expect(await memory.find('huge')).toBe('huge')
    expect(memory.peek('huge')).toBeUndefined()
    expect(memory.peek('small')).toBe('small')
  })
})

test('whatever happens in whatever order, nobody who asks after a change hears what was before it', async () => {
  const key = fc.constantFrom('a', 'b')
  const step = fc.oneof(
    fc.record({ do: fc.constant('find' as const), key }),
    fc.record({ do: fc.constant('change' as const), key }),
    fc.record({ do: fc.constant('missed change' as const), key }),
    fc.record({ do: fc.constantFrom('answer' as const, 'interrupt' as const, 'resume' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const versions: Record<string, number> = { a: 0, b: 0 }
      const underWay: (() => void)[] = []
      const memory = new Memory<number>({
        // The database is read when it is asked, and the answer is on its way for as long as can be.
        load: (keys) => {
          const read = new Map(keys.flatMap((key) => (versions[key] === 0 ? [] : [[key, versions[key]!]])))
          return new Promise((resolve) => underWay.push(() => resolve(read)))
        },
        sizeOf: () => 1,
        bytesMax: 100_000,
        clock: () => 0,
        availability: { isAway: false },
      })
      let isTold = false
      const asked: Promise<void>[] = []
      for (const { do: what, ...rest } of steps) {
        const name = 'key' in rest ? rest.key : ''
        if (what === 'find') {
          const atLeast = versions[name]!
          const peeked = memory.peek(name)
          if (peeked !== undefined) expect(peeked ?? 0).toBeGreaterThanOrEqual(atLeast)
          asked.push(memory.find(name).then((value = 0) => expect(value).toBeGreaterThanOrEqual(atLeast)))
        } else if (what === 'change') {
          versions[name]!++
          memory.forget(name)
        } else if (what === 'missed change') {
          if (!isTold && underWay.length === 0) versions[name]!++
        } else if (what === 'answer') underWay.shift()?.()
        else {
          isTold = what === 'resume'
          memory.told(isTold)
        }
        await settled()
      }
      for (; underWay.length > 0; await settled()) underWay.shift()!()
      await Promise.all(asked)
    }),
    { numRuns: 100 },
  )
})
