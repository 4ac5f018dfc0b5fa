import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

const RULES = 50

/** As many conditions as fit into a document, none of which holds: every scan tries all of them. */
const documentOf = (seed: number) => ({
  time_zone: 'Australia/Lord_Howe',
  rules: Array.from({ length: RULES }, (_, n) => ({
    id: `rule-${seed}-${n}`,
    name: `Rule ${n}`,
    when: {
      any: [
        { weekday: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '00:01', lot: ['L1'] },
        { property: { key: `key-${n}`, is: 'no' }, not: { language: ['en'] } },
        { scan_number: { of: 'object', from: 1_000_000 + n }, date: { until: '2019-01-01' } },
      ],
    },
    then: { destination: { url: 'https://acme.com/' } },
  })),
})

/** The most expensive documents of rules, scanned and changed all the time. */
export const rules: Scenario = {
  number: 44,
  title: 'a code with 50 rules: scanned, its rules replaced, versions restored, scans simulated',
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const { client, apiKey } = await stage.createTenant('hostile')
      const properties = Array.from({ length: 100 }, (_, n) => ({ key: `key-${n}`, value: 'x'.repeat(2000) }))
      const object = await client.post('/v1/objects', { type: 'machine', properties })
      const code = await client.post('/v1/qr-codes', { object_id: object.body.id })
      const path = `/v1/qr-codes/${code.body.id}`
      const documents = [documentOf(1), documentOf(2)]
      const { status, text } = await client.put(`${path}/rules`, documents[0])
      if (status !== 200) throw new Error(`cannot set rules: ${text}`)
      const given = [code.body.public_slug, path, ...documents.map((each) => JSON.stringify(each))]
      const attacked = await underAttack(stage, { attack: 'rules', apiKey, given }, ['scan', 'me', 'write'])
      return both(attacked, { holds: true, figures: `attacker: ${describeStatuses(attacked.statuses)}` })
    }),
}
