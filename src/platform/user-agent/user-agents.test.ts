import { expect, test } from 'vitest'
import { UserAgents } from './user-agents.ts'

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36'

test('describes a browser as a person with a device', () => {
  expect(new UserAgents().read(CHROME)).toEqual({
    text: CHROME,
    isBot: false,
    device: { type: 'mobile', os: 'Android', browser: 'Chrome' },
  })
})

test.each([undefined, '', '   ', '\t\u0001'])('an empty header is a bot: %j', (header) => {
  expect(new UserAgents().read(header)).toEqual({
    text: null,
    isBot: true,
    device: { type: null, os: null, browser: null },
  })
})

test('parses the same header once, and returns a frozen result', () => {
  const agents = new UserAgents()
  const first = agents.read(CHROME)
  expect(agents.read(Buffer.from(CHROME).toString())).toBe(first)
  expect(Object.isFrozen(first)).toBe(true)
  expect(Object.isFrozen(first.device)).toBe(true)
})

test('caches headers within its limit, and evicts the least recently used one', () => {
  const agents = new UserAgents()
  const inUse = agents.read(CHROME)
  const unused = agents.read('agent/1')
  const again = Array.from({ length: 500 }, (_, n) => agents.read(`${CHROME} ${n}`))
  expect(again.map((_, n) => agents.read(`${CHROME} ${n}`))).toEqual(again)
  expect(agents.read(CHROME)).toBe(inUse)
  for (let n = 0; n < 2_000; n++) agents.read(`${n}`.padEnd(512, 'x'))
  expect(agents.usedBytes).toBeLessThanOrEqual(agents.bytesMax)
  expect(agents.read('agent/1')).not.toBe(unused)
})

test('removes control characters', () => {
  const { text, isBot } = new UserAgents().read(`${CHROME}\u0000\r\n\u001b[31m\u0085\u007f`)
  expect(text).toBe(`${CHROME}[31m`)
  expect(isBot).toBe(false)
})

test('keeps 512 characters of a long header, and never half a character', () => {
  const agents = new UserAgents()
  const long = CHROME.padEnd(512, 'x')
  expect(agents.read(`${long}yyy`).text).toBe(long)
  expect(agents.read(`${long}zzz`)).toBe(agents.read(long))
  const broken = CHROME.padEnd(511, 'x')
  expect(agents.read(`${broken}😀😀`).text).toBe(broken)
  expect(agents.read(`${broken.slice(1)}😀😀`).text).toBe(`${broken.slice(1)}😀`)
})

test('replaces half a surrogate pair', () => {
  expect(new UserAgents().read(`${CHROME} \ud83d x`).text).toBe(`${CHROME} \ufffd x`)
})
