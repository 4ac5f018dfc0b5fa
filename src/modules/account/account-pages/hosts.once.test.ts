import http from 'node:http'
import { expect, test } from 'vitest'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({
  config: { appUrl: 'https://app.acme.com', publicUrl: 'https://go.acme.com', acceptsAnyHost: false },
})

/** `fetch` does not send another Host. */
const open = (path: string, host: string) =>
  new Promise<http.IncomingMessage>((resolve, reject) => {
    const { port } = new URL(harness.baseUrl)
    http
      .get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
        response.resume()
        resolve(response)
      })
      .on('error', reject)
  })

test('people sign in on the host of the application only, with cookies that are bound to it', async () => {
  for (const path of ['/', '/account/sign-in']) {
    const { statusCode, headers } = await open(path, 'app.acme.com')
    expect(statusCode, path).toBe(200)
    for (const cookie of headers['set-cookie'] ?? []) expect(cookie).toMatch(/^__Host-\w+=.*; Secure$/)
    for (const host of ['go.acme.com', 'shop.acme.com', 'app.acme.com.evil.example']) {
      expect((await open(path, host)).statusCode, `${path} on ${host}`).toBe(404)
    }
  }
})
