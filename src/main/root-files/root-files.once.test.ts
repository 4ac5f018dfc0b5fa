import { expect, test } from 'vitest'
import { useHarness } from '../../testing/harness.ts'

const harness = useHarness()

test('every host has an icon, in the sizes that browsers show', async () => {
  const response = await fetch(`${harness.baseUrl}/favicon.ico`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
  const icon = Buffer.from(await response.arrayBuffer())
  expect(icon.readUInt16LE(2), 'an icon').toBe(1)
  const sizes = Array.from({ length: icon.readUInt16LE(4) }, (_, n) => icon[6 + 16 * n])
  expect(sizes).toEqual([16, 32])
  const head = await fetch(`${harness.baseUrl}/favicon.ico`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(icon.length)])
})

test('search engines are kept from the API and the account pages only', async () => {
  const response = await fetch(`${harness.baseUrl}/robots.txt`)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const disallowed = [...(await response.text()).matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path)
  expect(disallowed).toEqual(['/account', '/oauth', '/v1'])
})
