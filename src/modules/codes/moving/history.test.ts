import { expect, test } from 'vitest'
import { readHistory } from './history.ts'

const daysIn = (text: string) => [...readHistory(text).history].map(([key, { days }]) => [key, ...days])

test('daily scans are counts or single scans, by day in UTC', () => {
  const counts = 'link,date,clicks\nhttps://go.acme.com/a,2025-02-03,4\ngo.acme.com/a,2025-02-03,1\n'
  expect(daysIn(counts)).toEqual([['go.acme.com/a', ['2025-02-03', 5]]])
  const log = [{ timestamp: '2025-02-03T23:30:00-05:00', key: 'a', domain: 'go.acme.com' }]
  expect(daysIn(JSON.stringify(log))).toEqual([['go.acme.com/a', ['2025-02-04', 1]]])
})

test('rows whose address, time or count cannot be read are counted as skipped', () => {
  const { history, skipped } = readHistory(
    'id,link,date,clicks\n1,a,nonsense,1\n2,a,2025-02-03,1.280\n3,,2025-02-03,1\n4,a,03.02.2025,1\n5,a,2025-02-03,\n6,a,2025-02-03,"1,280"\n',
  )
  expect(skipped).toEqual([2, 3, 4, 5, 6])
  expect([...history]).toEqual([['a', { row: 7, days: new Map([['2025-02-03', 1280]]) }]])
})

test.each([
  ['the slug, not the number of the row', 'id,slug', '17,a', 'a'],
  ['the slug and the domain', 'id,slug,domain', '17,/a/,Go.Acme.com', 'go.acme.com/a'],
  ['the slug, not where the code leads', 'link,slug', 'https://acme.com/sale,a', 'a'],
  ['the slug with the host of its link', 'link,slug', 'https://go.acme.com/a,a', 'go.acme.com/a'],
  ['the slug that YOURLS calls short URL', 'click_id,shorturl', '17,7f', '7f'],
  ['the ID of Bitly, which is an address', 'id', 'go.acme.com/a', 'go.acme.com/a'],
])('a code is found by %s', (_what, names, values, key) => {
  expect(daysIn(`${names},date\n${values},2025-02-03\n`)).toEqual([[key, ['2025-02-03', 1]]])
})
