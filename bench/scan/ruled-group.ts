import { credentials, type RunningService } from '../support/service.ts'

/** Nine rules that do not match a phone of today, each for another reason, and one that always does. */
const CONDITIONS: object[] = [
  { device: ['desktop'] },
  { os: ['Windows', 'Linux'] },
  { language: ['ja', 'zh', 'ko'] },
  { date: { from: '2019-01-01', until: '2019-12-31' } },
  { weekday: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '11:00', to: '11:01' },
  { query: { key: 'table', is: '7' } },
  { via: ['nfc'] },
  { domain: ['go.acme.com'] },
  { all: [{ lot: ['L1'] }, { not: { serial: ['S1'] } }] },
  {},
]

/** Creates a group whose rules all of its codes use. Returns its id. */
export async function createRuledGroup({ port, first }: RunningService): Promise<string> {
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { ...credentials(first), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const { id } = await send('POST', '/qr-groups', { name: 'With rules' })
  const destination = { url: 'https://acme.com/chairs/oak?utm_source=label' }
  await send('PUT', `/qr-groups/${id}/rules`, {
    time_zone: 'Europe/Berlin',
    rules: CONDITIONS.map((when, n) => ({ id: `rule-${n}`, name: `Rule ${n}`, when, then: { destination } })),
  })
  return id
}
