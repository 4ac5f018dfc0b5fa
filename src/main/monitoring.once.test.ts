/** What the alert rules and the dashboard show exists, and Prometheus accepts it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Client } from '../testing/client.ts'
import { useHarness } from '../testing/harness.ts'
import { findPromtool, NO_PROMTOOL, runPromtool } from '../testing/world/promtool.ts'

/** Nothing is sent: these settings only bring all metrics out. */
const harness = useHarness({
  config: {
    metricsPort: 0,
    mail: { smtpUrl: 'smtp://127.0.0.1:1', from: 'no-reply@acme.com' },
    llm: {
      baseUrl: 'http://127.0.0.1:1',
      apiKey: undefined,
      models: [{ name: 'acme', credits: 1 }],
      embeddingsModel: 'acme-vectors',
      answerMsMax: 1000,
      silenceMsMax: 1000,
    },
  },
})
const fileOf = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url))
const read = (name: string) => readFileSync(fileOf(name), 'utf8')
const guide = readFileSync(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8')
const rules: { alert: string; expr: string }[] = parse(read('alerts.yaml')).groups.flatMap(
  (group: { rules: object[] }) => group.rules,
)
const METRIC = /\b(?:waymark|nodejs|process)_[a-z0-9_]+\b/g

let shown: string
let types: { name: string; type: string }[]
let names: Set<string>

beforeAll(async () => {
  await harness.client().get('/v1/me')
  shown = (await new Client(`http://127.0.0.1:${harness.service.metricsPort}`, undefined).get('/metrics')).text
  types = [...shown.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }))
  names = new Set(
    types.flatMap(({ name, type }) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
    ),
  )
})

test('every metric of the alert rules and of the dashboard exists', () => {
  const { panels } = JSON.parse(read('grafana-dashboard.json'))
  const shows = panels.flatMap(({ targets = [] }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr))
  expect([rules.length, shows.length].map((count) => count > 10)).toEqual([true, true])
  const named = [...rules.map(({ expr }) => expr), ...shows].flatMap((expr: string) => expr.match(METRIC) ?? [])
  expect([...new Set(named)].filter((name) => !names.has(name))).toEqual([])
})

test('the dashboard shows every metric of our own, and the guide explains each', () => {
  const own = [...names].filter((name) => name.startsWith('waymark_'))
  expect(own.length).toBeGreaterThan(25)
  const dashboard = read('grafana-dashboard.json')
  expect(own.filter((name) => !dashboard.includes(name))).toEqual([])
  expect(own.filter((name) => !guide.includes(`\`${name.replace(/_(bucket|sum|count)$/, '')}`))).toEqual([])
})

test('counters end in _total, and nothing else does', () => {
  expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([])
})

test('the guide says what to do about every alert, and every alert has a test', () => {
  const tested: { alertname: string; exp_alerts: object[] }[] = parse(read('alerts.test.yaml')).tests.flatMap(
    ({ alert_rule_test }: { alert_rule_test: object[] }) => alert_rule_test,
  )
  const fires = tested.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname)
  const alerts = rules.map(({ alert }) => alert)
  expect(alerts.filter((alert) => !guide.includes(`| \`${alert}\` |`))).toEqual([])
  expect(alerts.filter((alert) => !fires.includes(alert))).toEqual([])
})

test('promtool accepts the names of the metrics, and the alerts fire when they should', async ({ skip }) => {
  const promtool = (await findPromtool()) ?? skip(NO_PROMTOOL)
  expect(runPromtool(promtool, ['check', 'metrics'], shown)).toEqual({ code: 0, output: '' })
  expect(runPromtool(promtool, ['check', 'rules', fileOf('alerts.yaml')])).toMatchObject({ code: 0 })
  expect(runPromtool(promtool, ['test', 'rules', fileOf('alerts.test.yaml')])).toMatchObject({ code: 0 })
})
