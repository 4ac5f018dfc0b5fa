import { expect, test } from 'vitest'
import { newId, type OrgId } from '../ids/index.ts'
import { Settling } from './settling.ts'

const orgId = newId() as OrgId
const source = (waiting: Promise<void> | undefined) => ({ settled: () => waiting })

test('a read waits for what is recorded and for changes that are due, a change only for the latter', async () => {
  const order: string[] = []
  const recorded = Promise.withResolvers<void>()
  const due = Promise.withResolvers<void>()
  const settling = new Settling()
  settling.watch(source(recorded.promise))
  settling.watch(source(undefined))
  settling.watchChanges(source(due.promise))
  const read = settling.beforeRead(orgId)?.then(() => order.push('read'))
  const change = settling.beforeChange(orgId)?.then(() => order.push('change'))
  due.resolve()
  await change
  expect(order).toEqual(['change'])
  recorded.resolve()
  await read
  expect(order).toEqual(['change', 'read'])
})

test('nothing waits for nothing', () => {
  const settling = new Settling()
  settling.watch(source(undefined))
  settling.watchChanges(source(undefined))
  expect([settling.beforeRead(orgId), settling.beforeChange(orgId)]).toEqual([undefined, undefined])
})
