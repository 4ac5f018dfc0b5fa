import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from './failures.ts'
import { LookupCache, type LookupCacheOptions } from './lookup-cache.ts'

/** A call of `load` that the test completes. */
interface Lookup {
  keys: readonly string[]
  complete(found: Record<string, string>): Promise<void>
  fail(error: unknown): Promise<void>
}

let lookups: Lookup[]
let nowMs: number

beforeEach(() => {
  lookups = []
  nowMs = 1_800_000_000_000
})
afterEach(() => {
  vi.useRealTimers()
})

/** Waits for more microtasks than any promise chain in these tests has. */
async function settled(): Promise<void> {
  for (let n = 0; n < 20; n++) await undefined
}

function createCache(options: Partial<LookupCacheOptions<string>> = {}): LookupCache<string> {
  return new LookupCache<string>({
    load: (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
      lookups.push({
        keys,
        complete: (found) => {
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

function createListeningCache(): LookupCache<string> {
  const cache = createCache()
  cache.setListening(true)
  return cache
}

/** A cache with a value for the key `a`. */
async function createWithValue(value = 'old'): Promise<LookupCache<string>> {
  const cache = createListeningCache()
  const found = cache.find('a')
  await lookups.shift()!.complete({ a: value })
  expect(await found).toBe(value)
  return cache
}

const away = () => new DatabaseUnavailable('away', undefined)
const outcome = (found: Promise<string | undefined>) => found.catch((error: unknown) => error)

describe('lookups', () => {
  test('a value is loaded once and then returned from the cache', async () => {
    const cache = await createWithValue()
    expect(cache.peek('a')).toBe('old')
    expect(await cache.find('a')).toBe('old')
    expect(lookups).toEqual([])
  })

  test('concurrent requests for one key share one lookup', async () => {
    const cache = createListeningCache()
    const found = Array.from({ length: 1000 }, () => cache.find('a'))
    await settled()
    found.push(cache.find('a'))
    expect(lookups.map(({ keys }) => keys)).toEqual([['a']])
    await lookups[0]!.complete({ a: 'one' })
    expect(new Set(await Promise.all(found))).toEqual(new Set(['one']))
    expect(lookups).toHaveLength(1)
  })

  test('many keys are loaded in batches, one batch at a time and in the order of the requests', async () => {
    const cache = createListeningCache()
    const keys = Array.from({ length: 200 }, (_, n) => `k${n}`)
    const found = keys.map((key) => cache.find(key))
    for (let n = 0; n < 5; n++) {
      await settled()
      // Never a second lookup while one is running.
      expect(lookups).toHaveLength(n + 1)
      await lookups[n]!.complete(Object.fromEntries(lookups[n]!.keys.map((key) => [key, `value of ${key}`])))
    }
    expect(lookups.map((lookup) => lookup.keys.length)).toEqual([1, 64, 64, 64, 7])
    expect(lookups.flatMap((lookup) => lookup.keys)).toEqual(keys)
    expect(await Promise.all(found)).toEqual(keys.map((key) => `value of ${key}`))
    expect(keys.map((key) => cache.peek(key))).toEqual(keys.map((key) => `value of ${key}`))
  })

  test('an absent key is looked up once, and again after it is invalidated', async () => {
    const cache = createListeningCache()
    const unknown = cache.find('a')
    await lookups[0]!.complete({})
    expect(await unknown).toBeUndefined()
    expect(cache.peek('a')).toBeNull()
    expect(await cache.find('a')).toBeUndefined()
    expect(lookups).toHaveLength(1)
    cache.invalidate('a')
    expect(cache.peek('a')).toBeUndefined()
    const found = cache.find('a')
    await lookups[1]!.complete({ a: 'new' })
    expect(await found).toBe('new')
  })

  test('an absent key is looked up again after five seconds, even without an announcement', async () => {
    const cache = createListeningCache()
    const unknown = cache.find('a')
    await lookups[0]!.complete({})
    await unknown
    nowMs += 4999
    expect(cache.peek('a')).toBeNull()
    nowMs += 1
    expect(cache.peek('a')).toBeUndefined()
    const found = cache.find('a')
    await lookups[1]!.complete({ a: 'new' })
    expect(await found).toBe('new')
  })

  test('an absent key is looked up again if the clock was set back', async () => {
    const cache = createListeningCache()
    const unknown = cache.find('a')
    await lookups[0]!.complete({})
    await unknown
    nowMs -= 1
    expect(cache.peek('a')).toBeUndefined()
    const found = cache.find('a')
    await lookups[1]!.complete({ a: 'new' })
    expect(await found).toBe('new')
  })

  test('a key that was loaded without being requested is not cached', async () => {
    const cache = createListeningCache()
    const found = cache.find('a')
    await lookups[0]!.complete({ a: 'one', b: 'two' })
    expect(await found).toBe('one')
    expect(cache.peek('b')).toBeUndefined()
  })
})

describe('invalidation', () => {
  test('an invalidated key is looked up again, and other keys stay cached', async () => {
    const cache = await createWithValue()
    const other = cache.find('b')
    await lookups.shift()!.complete({ b: 'other' })
    await other
    cache.invalidate('a')
    expect(cache.peek('a')).toBeUndefined()
    expect(cache.peek('b')).toBe('other')
    const found = cache.find('a')
    expect(lookups.map(({ keys }) => keys)).toEqual([['a']])
    await lookups[0]!.complete({ a: 'new' })
    expect(await found).toBe('new')
  })

  test.each<[string, { a?: string }]>([
    ['a value', { a: 'old' }],
    ['nothing', {}],
  ])(
    'a key invalidated during its lookup is not cached when the lookup finds %s, and later requests get the new value',
    async (_what, old) => {
      const cache = createListeningCache()
      const before = cache.find('a')
      cache.invalidate('a')
      const after = cache.find('a')
      await lookups[0]!.complete(old as Record<string, string>)
      expect(await before).toBe(old.a)
      expect(cache.peek('a')).toBeUndefined()
      await lookups[1]!.complete({ a: 'new' })
      expect(await after).toBe('new')
      expect(cache.peek('a')).toBe('new')
      expect(lookups).toHaveLength(2)
    },
  )

  test('a lookup that fails after its key was invalidated does not affect the lookup that replaced it', async () => {
    const cache = createListeningCache()
    const before = outcome(cache.find('a'))
    cache.invalidate('a')
    const after = cache.find('a')
    await lookups[0]!.fail(new Error('broken'))
    expect(await before).toEqual(new Error('broken'))
    const joined = cache.find('a')
    await lookups[1]!.complete({ a: 'new' })
    expect(await Promise.all([after, joined])).toEqual(['new', 'new'])
    expect(lookups).toHaveLength(2)
  })

  test('a key invalidated repeatedly while queued is looked up once, and all requests get the new value', async () => {
    const cache = createListeningCache()
    const first = cache.find('x')
    const waiting = Array.from({ length: 10 }, () => {
      cache.invalidate('a')
      return cache.find('a')
    })
    await lookups[0]!.complete({})
    expect(lookups[1]!.keys).toEqual(['a'])
    await lookups[1]!.complete({ a: 'new' })
    expect(await Promise.all([first, ...waiting])).toEqual([undefined, ...waiting.map(() => 'new')])
    expect(cache.peek('a')).toBe('new')
  })
})

describe('while announcements may be missed', () => {
  test('every request is a lookup until announcements are received', async () => {
    const cache = createCache()
    for (const value of ['one', 'two', 'three']) {
      expect(cache.peek('a')).toBeUndefined()
      const found = cache.find('a')
      await lookups.pop()!.complete({ a: value })
      expect(await found).toBe(value)
    }
  })

  test.each([false, true])('cached values are looked up again after setListening(%s)', async (isListening) => {
    const cache = await createWithValue()
    cache.setListening(isListening)
    expect(cache.peek('a')).toBeUndefined()
    const found = cache.find('a')
    await lookups.shift()!.complete({ a: 'new' })
    expect(await found).toBe('new')
    expect(cache.peek('a')).toBe(isListening ? 'new' : undefined)
  })

  test('absent keys are looked up again, too', async () => {
    const cache = createListeningCache()
    const unknown = cache.find('a')
    await lookups[0]!.complete({})
    await unknown
    cache.setListening(false)
    cache.setListening(true)
    expect(cache.peek('a')).toBeUndefined()
  })

  test('a lookup that started before is neither cached nor joined afterwards', async () => {
    const cache = createListeningCache()
    const before = cache.find('a')
    cache.setListening(false)
    cache.setListening(true)
    const after = cache.find('a')
    await lookups[0]!.complete({ a: 'old' })
    expect(await before).toBe('old')
    expect(cache.peek('a')).toBeUndefined()
    await lookups[1]!.complete({ a: 'new' })
    expect(await after).toBe('new')
    expect(cache.peek('a')).toBe('new')
  })
})

describe('while the database is away', () => {
  test('stale values are returned, and other keys throw', async () => {
    const cache = await createWithValue()
    cache.setListening(false)
    const [known, unknown] = [cache.find('a'), outcome(cache.find('b'))]
    await lookups.shift()!.fail(away())
    expect(await known).toBe('old')
    await lookups.shift()?.fail(away())
    expect(await unknown).toBeInstanceOf(DatabaseUnavailable)
  })

  test('stale values are returned without waiting, and one lookup at a time checks for recovery', async () => {
    const cache = await createWithValue()
    cache.setListening(false)
    const first = cache.find('a')
    await lookups.shift()!.fail(away())
    expect(await first).toBe('old')
    for (let n = 0; n < 10; n++) expect(await cache.find('a')).toBe('old')
    expect(lookups).toHaveLength(1)
    await lookups.shift()!.fail(away())
    expect(await cache.find('a')).toBe('old')
    await lookups.shift()!.complete({ a: 'new' })
    const back = cache.find('a')
    await lookups.shift()!.complete({ a: 'newer' })
    expect(await back).toBe('newer')
  })

  test('caches on the same database share whether it is away', async () => {
    const availability = { isAway: false }
    const [one, other] = [createCache({ availability }), createCache({ availability })]
    for (const cache of [one, other]) {
      const found = cache.find('a')
      await lookups.shift()!.complete({ a: 'old' })
      await found
    }
    const waited = one.find('a')
    await lookups.shift()!.fail(away())
    expect(await waited).toBe('old')
    expect(await other.find('a')).toBe('old')
    expect(lookups).toHaveLength(1)
    await lookups.shift()!.complete({ a: 'new' })
    expect(availability.isAway).toBe(false)
  })

  test('a key without a stale value is looked up immediately, so that recovery is noticed without delay', async () => {
    const cache = createListeningCache()
    const failing = outcome(cache.find('a'))
    await lookups.shift()!.fail(away())
    expect(await failing).toBeInstanceOf(DatabaseUnavailable)
    const found = cache.find('a')
    await lookups.shift()!.complete({ a: 'new' })
    expect(await found).toBe('new')
    expect(cache.peek('a')).toBe('new')
  })

  test('an invalidated value is not returned, because it is known to be out of date', async () => {
    const cache = await createWithValue()
    cache.invalidate('a')
    const found = outcome(cache.find('a'))
    await lookups.shift()!.fail(away())
    expect(await found).toBeInstanceOf(DatabaseUnavailable)
  })

  test('the stale value of a key that became absent is not returned, and its absence is cached', async () => {
    const cache = await createWithValue()
    cache.setListening(true)
    const gone = cache.find('a')
    await lookups.shift()!.complete({})
    expect(await gone).toBeUndefined()
    expect(cache.peek('a')).toBeNull()
    cache.setListening(false)
    const found = outcome(cache.find('a'))
    await lookups.shift()!.fail(away())
    expect(await found).toBeInstanceOf(DatabaseUnavailable)
  })

  test('a lookup times out after a second and counts as away', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const cache = await createWithValue()
    cache.setListening(false)
    const states = { known: 'waits', unknown: 'waits' }
    void cache.find('a').then((value) => {
      states.known = value!
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(states.known).toBe('waits')
    await vi.advanceTimersByTimeAsync(1)
    expect(states.known).toBe('old')
    void cache.find('b').catch((error: Error) => {
      states.unknown = error.name
    })
    await vi.advanceTimersByTimeAsync(1000)
    expect(states.unknown).toBe('DatabaseUnavailable')
  })

  test('a result that arrives after the timeout is not cached', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const cache = createListeningCache()
    const given = outcome(cache.find('a'))
    await vi.advanceTimersByTimeAsync(1000)
    expect(await given).toBeInstanceOf(DatabaseUnavailable)
    await lookups.shift()!.complete({ a: 'late' })
    expect(cache.peek('a')).toBeUndefined()
  })

  test('lookups queued behind one that times out fail with it instead of waiting for another timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const cache = await createWithValue()
    cache.setListening(false)
    // Far more keys than fit into one lookup, as when someone guesses addresses.
    const guesses = Array.from({ length: 1000 }, (_, n) => outcome(cache.find(`guess${n}`)))
    const known = cache.find('a')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await known).toBe('old')
    for (const error of await Promise.all(guesses)) expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(lookups).toHaveLength(1)
  })

  test('values are loaded and cached again once the database is back', async () => {
    const cache = await createWithValue()
    cache.setListening(false)
    const during = cache.find('a')
    await lookups.shift()!.fail(away())
    await during
    cache.setListening(true)
    const found = cache.find('a')
    await lookups.shift()!.complete({ a: 'new' })
    expect(await found).toBe('new')
    expect(cache.peek('a')).toBe('new')
  })

  test('any other failure rejects all waiting requests, and the next request starts a new lookup', async () => {
    const cache = await createWithValue()
    cache.setListening(true)
    const failed = [outcome(cache.find('a')), outcome(cache.find('a'))]
    await lookups.shift()!.fail(new TypeError('broken'))
    expect(await Promise.all(failed)).toEqual([new TypeError('broken'), new TypeError('broken')])
    const found = cache.find('a')
    await lookups.shift()!.complete({ a: 'new' })
    expect(await found).toBe('new')
  })

  test('a loader that throws synchronously is a failed lookup', async () => {
    let isBroken = true
    const cache = createCache({
      load: (keys) => {
        if (isBroken) throw away()
        return Promise.resolve(new Map(keys.map((key) => [key, 'new'])))
      },
    })
    cache.setListening(true)
    expect(await outcome(cache.find('a'))).toBeInstanceOf(DatabaseUnavailable)
    isBroken = false
    expect(await cache.find('a')).toBe('new')
  })
})

describe('the size limit', () => {
  const createSmall = (sizeOf: (value: string) => number) => {
    const load = async (keys: readonly string[]) =>
      new Map(keys.filter((key) => !key.startsWith('no')).map((key) => [key, key]))
    const cache = createCache({ bytesMax: 100_000, sizeOf, load })
    cache.setListening(true)
    return cache
  }
  const many = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n + 100_000}`)

  test('is kept for values, and the most recently used ones stay', async () => {
    const cache = createSmall(() => 900)
    const keys = many('key', 1000)
    for (const key of keys) await cache.find(key)
    const kept = keys.filter((key) => cache.peek(key) !== undefined)
    expect(kept.length * (900 + 9)).toBeLessThanOrEqual(100_000)
    expect(kept.length).toBeGreaterThan(80)
    expect(kept).toEqual(keys.slice(-kept.length))
  })

  test('is kept for absent keys', async () => {
    const cache = createSmall(() => 900)
    for (const [count, length] of [
      [80_000, 8],
      [1_000, 10_000],
    ] as const) {
      const keys = many('no', count).map((key) => key.padEnd(length, 'x'))
      await Promise.all(keys.map((key) => cache.find(key)))
      const kept = keys.filter((key) => cache.peek(key) === null)
      expect(kept.length * 2 * length).toBeLessThan(8 * 1024 * 1024)
      expect(kept.length).toBeGreaterThan(count / 4)
      expect(kept).toEqual(keys.slice(-kept.length))
    }
    expect(cache.usedBytes).toBeLessThanOrEqual(cache.bytesMax)
  })

  test('a value larger than the limit is returned and evicts nothing', async () => {
    const cache = createSmall((value) => (value === 'huge' ? 200_000 : 900))
    await cache.find('small')
    expect(await cache.find('huge')).toBe('huge')
    expect(cache.peek('huge')).toBeUndefined()
    expect(cache.peek('small')).toBe('small')
  })
})

test('in any order of events, a request made after a change never gets the value from before it', async () => {
  const key = fc.constantFrom('a', 'b')
  const step = fc.oneof(
    fc.record({ do: fc.constant('find' as const), key }),
    fc.record({ do: fc.constant('change' as const), key }),
    fc.record({ do: fc.constant('missed change' as const), key }),
    fc.record({ do: fc.constantFrom('complete' as const, 'interrupt' as const, 'resume' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const versions: Record<string, number> = { a: 0, b: 0 }
      const running: (() => void)[] = []
      const cache = new LookupCache<number>({
        // Reads when it is called, and returns as late as the test wants.
        load: (keys) => {
          const read = new Map(keys.flatMap((key) => (versions[key] === 0 ? [] : [[key, versions[key]!]])))
          return new Promise((resolve) => running.push(() => resolve(read)))
        },
        sizeOf: () => 1,
        bytesMax: 100_000,
        clock: () => 0,
        availability: { isAway: false },
      })
      let isListening = false
      const found: Promise<void>[] = []
      for (const { do: what, ...rest } of steps) {
        const name = 'key' in rest ? rest.key : ''
        if (what === 'find') {
          const atLeast = versions[name]!
          const peeked = cache.peek(name)
          if (peeked !== undefined) expect(peeked ?? 0).toBeGreaterThanOrEqual(atLeast)
          found.push(cache.find(name).then((value = 0) => expect(value).toBeGreaterThanOrEqual(atLeast)))
        } else if (what === 'change') {
          versions[name]!++
          cache.invalidate(name)
        } else if (what === 'missed change') {
          if (!isListening && running.length === 0) versions[name]!++
        } else if (what === 'complete') running.shift()?.()
        else {
          isListening = what === 'resume'
          cache.setListening(isListening)
        }
        await settled()
      }
      for (; running.length > 0; await settled()) running.shift()!()
      await Promise.all(found)
    }),
    { numRuns: 100 },
  )
})
