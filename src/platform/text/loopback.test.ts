import { expect, test } from 'vitest'
import { isLoopbackUrl } from './loopback.ts'

test.each([
  'http://localhost:8080',
  'http://LOCALHOST./q/aB3dE5gH',
  'https://acme.localhost',
  'http://127.0.0.1:8080',
  'http://127.1',
  'http://[::1]:8080/q',
  'http://[::ffff:127.0.0.1]',
  'http://0.0.0.0:8080',
])('%s leads every device to itself', (url) => {
  expect(isLoopbackUrl(url)).toBe(true)
})

test.each([
  'https://go.acme.example',
  'http://192.168.1.20:8080',
  'http://128.0.0.1',
  'http://localhost.acme.example',
  'http://notlocalhost',
  'http://[2001:db8::1]',
])('%s does not', (url) => {
  expect(isLoopbackUrl(url)).toBe(false)
})
