import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, expect, test } from 'vitest'
import { forEachPlace, PLACES } from '../modules/codes/destinations/contract.ts'
import { RESERVED_WORDS } from '../platform/contract/reserved-words.ts'
import { useHarness } from '../testing/harness.ts'

/** The first segment of every route of the framework. */
const found = new Set<string>()
const observe = (message: unknown) => {
  const { fastify } = message as { fastify: { addHook(name: string, hook: (route: { url: string }) => void): void } }
  fastify.addHook('onRoute', ({ url }) => void found.add(url.split('/')[1] ?? ''))
}
subscribe('fastify.initialization', observe)
afterAll(() => unsubscribe('fastify.initialization', observe))

useHarness({ config: { metricsPort: 0 } })

/** Paths of codes and pages, which the framework does not know. */
const HANDLED = ['o', 'g', ...Object.values(forEachPlace((place) => PLACES[place].path.replaceAll('/', '')))]

/** What a code can have as its slug, also one that somebody chooses. */
const SLUG = /^[A-Za-z0-9_-]+$/

test('no slug of a code on our own host can be the beginning of an address that we serve', () => {
  const words = [...found, ...HANDLED].filter((word) => SLUG.test(word))
  expect(words).toEqual(expect.arrayContaining(['v1', 'account', 'docs', 'healthz', 'kb', 'metrics', 'oauth', 'p']))
  expect(words.filter((word) => !RESERVED_WORDS.has(word))).toEqual([])
})

test('words of what may come are reserved', () => {
  expect(['mcp', 'app', 'claim', 'www'].filter((word) => !RESERVED_WORDS.has(word))).toEqual([])
})
