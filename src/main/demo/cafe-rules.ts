import { demoDomain } from './organisation.ts'

/** What the code on the tables of a café shows: the menu of the time of day, and a page in winter on which it is closed. */
export const cafeRules = (slug: string) => {
  const to = (path: string) => ({ destination: { url: `https://${demoDomain(slug)}/cafe/${path}` } })
  return {
    time_zone: 'Europe/Berlin',
    rules: [
      {
        id: 'holidays',
        name: 'Closed on holidays',
        when: {
          any: [
            { date: { from: '2026-12-24', until: '2026-12-26' } },
            { date: { from: '2027-01-01', until: '2027-01-01' } },
          ],
        },
        then: to('closed'),
      },
      {
        id: 'breakfast',
        name: 'Breakfast menu',
        when: { weekday: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '11:00' },
        then: to('breakfast'),
      },
      {
        id: 'lunch',
        name: 'Lunch menu',
        when: { weekday: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '11:00', to: '14:30' },
        then: to('lunch'),
      },
    ],
    examples: [
      { name: 'Monday noon in Berlin', facts: { at: '2026-11-16T12:10:00+01:00' }, expect: 'lunch' },
      { name: 'Christmas', facts: { at: '2026-12-25T12:10:00+01:00' }, expect: 'holidays' },
      { name: 'Sunday', facts: { at: '2026-11-15T12:10:00+01:00' }, expect: null },
    ],
  }
}
