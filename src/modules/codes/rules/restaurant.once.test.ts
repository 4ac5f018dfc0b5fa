/** What a restaurant does with the code on its tables in a year, as the guide to rules has it. */
import { expect, test } from 'vitest'
import { DAY_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import { PHONE, scan } from '../../../testing/data/scans.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const SITE = 'https://trattoria.example/'
const to = (place: string) => ({ destination: { url: SITE + place } })
const rule = (id: string, when: object) => ({ id, name: id, when, then: to(id) })

/** Monday to Thursday, so that no holiday and no weekend is near. */
const MONDAY = '2050-03-14'
const rules = [
  rule('prize', { scan_number: { of: 'code', to: 100 } }),
  rule('closed', { date: { from: '2050-03-16', until: '2050-03-17' } }),
  rule('breakfast', { from: '07:00', to: '11:00' }),
  rule('lunch', { weekday: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '11:00', to: '14:30' }),
  rule('dinner', { from: '17:30', to: '01:00' }),
]

test('breakfast, lunch, dinner, holidays, a hundred prizes, and what it showed on a day last spring', async () => {
  using _clock = harness.stopClock()
  const goTo = (day: string, time: string) => harness.advance(toMs(`${day}T${time}:00+01:00`) - harness.nowMs())
  goTo(MONDAY, '06:00')
  const acme = await harness.createTenant()
  await acme.patch('/v1/organisation', { time_zone: 'Europe/Rome' })
  const code = (await acme.post('/v1/qr-codes', { name: 'Tables', ...to('menu') })).body
  const saved = await acme.put(`/v1/qr-codes/${code.id}/rules`, { rules })
  expect(saved.body).toMatchObject({ version: 1, time_zone: 'Europe/Rome', warnings: [] })

  const eat = async (guest = 0) => {
    const reply = await scan(harness, `/${code.public_slug}`, { 'user-agent': `${PHONE} ${guest}` })
    return reply.headers.get('location')?.slice(SITE.length)
  }
  const guests = await Promise.all(Array.from({ length: 120 }, (_, guest) => eat(guest)))
  expect(guests.filter((place) => place === 'prize')).toHaveLength(100)
  expect(guests.filter((place) => place === 'menu')).toHaveLength(20)

  const shown: (string | undefined)[] = []
  for (const time of ['08:00', '12:00', '16:00', '18:00', '23:59']) {
    goTo(MONDAY, time)
    shown.push(await eat())
  }
  goTo('2050-03-15', '00:59')
  shown.push(await eat())
  goTo('2050-03-16', '12:00')
  shown.push(await eat())
  goTo('2050-03-18', '12:00')
  shown.push(await eat())
  expect(shown).toEqual(['breakfast', 'lunch', 'menu', 'dinner', 'dinner', 'dinner', 'closed', 'lunch'])
  expect((await acme.get(`/v1/qr-codes/${code.id}`)).body.total_scans).toBe(128)

  const opening = timestamp(toMs('2050-06-01T00:00:00+02:00'))
  const summer = { effective_at: opening, rules: { rules: [rule('terrace', {})] } }
  expect((await acme.post(`/v1/qr-codes/${code.id}/history`, summer)).status).toBe(201)
  goTo('2050-06-01', '12:00')
  expect(await eat()).toBe('terrace')

  harness.advance(300 * DAY_MS)
  await acme.put(`/v1/qr-codes/${code.id}/rules`, { rules: [] })
  const leads = async (at: string) => {
    const { body } = await acme.post('/v1/simulate', { qr_code_id: code.id, at, scan_number: 500 })
    return [body.version, body.reason, body.destination.url.slice(SITE.length)]
  }
  expect(await leads('2050-03-16T12:00:00+01:00')).toEqual([2, 'rule', 'closed'])
  expect(await leads('2050-05-31T23:00:00+02:00')).toEqual([2, 'rule', 'dinner'])
  expect(await leads('2050-06-01T00:00:00+02:00')).toEqual([3, 'rule', 'terrace'])
  expect(await leads(timestamp(harness.nowMs()))).toEqual([4, 'default', 'menu'])
})
