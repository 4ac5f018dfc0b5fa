import { expect, test } from 'vitest'
import { rememberUserAgents } from './user-agents.ts'

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36'

test('describes a browser as a person with a device', () => {
  expect(rememberUserAgents()(CHROME)).toEqual({
    text: CHROME,
    isBot: false,
    device: { type: 'mobile', os: 'Android', browser: 'Chrome' },
  })
})

test.each([undefined, '', '   ', '\t\u0001'])('an empty header is a bot: %j', (header) => {
  expect(rememberUserAgents()(header)).toEqual({
    text: null,
    isBot: true,
    device: { type: null, os: null, browser: null },
  })
})

test('parses the same header once, and returns a frozen result', () => {
  const read = rememberUserAgents()
  const first = read(CHROME)
  expect(read(Buffer.from(CHROME).toString())).toBe(first)
  expect(Object.isFrozen(first)).toBe(true)
  expect(Object.isFrozen(first.device)).toBe(true)
})

test('caches 5,000 headers and evicts the least recently used one', () => {
  const read = rememberUserAgents()
  const inUse = read(CHROME)
  const unused = read('agent/1')
  for (let n = 2; n < 5_000; n++) read(`agent/${n}`)
  expect(read(CHROME)).toBe(inUse)
  read('agent/5000')
  expect(read(CHROME)).toBe(inUse)
  expect(read('agent/1')).not.toBe(unused)
})

test('removes control characters', () => {
  const { text, isBot } = rememberUserAgents()(`${CHROME}\u0000\r\n\u001b[31m\u0085\u007f`)
  expect(text).toBe(`${CHROME}[31m`)
  expect(isBot).toBe(false)
})

test('keeps 512 characters of a long header, and never half a character', () => {
  const read = rememberUserAgents()
  const long = CHROME.padEnd(512, 'x')
  expect(read(`${long}yyy`).text).toBe(long)
  expect(read(`${long}zzz`)).toBe(read(long))
  const broken = CHROME.padEnd(511, 'x')
  expect(read(`${broken}😀😀`).text).toBe(broken)
  expect(read(`${broken.slice(1)}😀😀`).text).toBe(`${broken.slice(1)}😀`)
})

test('replaces half a surrogate pair', () => {
  expect(rememberUserAgents()(`${CHROME} \ud83d x`).text).toBe(`${CHROME} \ufffd x`)
})
