import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { Downloads } from './downloads.ts'

const fileOf = (slices: number) => Readable.from(Array.from({ length: slices }, (_, n) => Buffer.of(n)))

test('sends every slice, in order', async () => {
  const paced = new Downloads(() => {}).pace('192.0.2.1', fileOf(20))
  expect([...(await buffer(paced))]).toEqual(Array.from({ length: 20 }, (_, n) => n))
})

test('addresses take turns, however many downloads one has', async () => {
  const downloads = new Downloads(() => {})
  let slices = 0
  const many = Array.from({ length: 10 }, () =>
    downloads.pace('192.0.2.1', fileOf(20)).on('data', () => {
      slices++
    }),
  )
  await buffer(downloads.pace('192.0.2.2', fileOf(20)))
  expect(slices).toBeLessThan(100)
  await Promise.all(many.map((paced) => once(paced, 'end')))
  expect(slices).toBe(200)
})

test('closes the file when the client leaves', async () => {
  const file = fileOf(20)
  new Downloads(() => {}).pace('192.0.2.1', file).destroy()
  await new Promise((resolve) => file.once('close', resolve))
  expect(file.readableEnded).toBe(false)
})

test('an unreadable file ends the download', async () => {
  const file = new Readable({ read: () => file.destroy(new Error('cannot be read')) })
  const paced = new Downloads(() => {}).pace('192.0.2.1', file)
  await expect(buffer(paced)).rejects.toThrow('cannot be read')
})
