import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { RequestTimes } from './request-times.ts'

test('exports a Prometheus histogram by operation and status', async () => {
  const times = new RequestTimes()
  const registry = new Registry()
  registry.registerMetric(times.asMetric)
  for (const seconds of [0.0004, 0.001, 0.02, 7]) times.observe('scan', 302, seconds)
  times.observe('scan', 404, 0.3)
  times.observe('me.get', 200, 0.002)
  const lines = (await registry.metrics()).split('\n')
  expect(lines).toContain('# TYPE waymark_http_request_seconds histogram')
  const of = (labels: string) => lines.filter((line) => line.includes(labels)).map((line) => line.split(' ').at(-1))
  expect(of('operation="scan",status="302"')).toEqual([
    ...['2', '2', '2', '2', '3', '3', '3', '3', '3', '3', '3', '4'],
    ...['7.0214', '4'],
  ])
  expect(lines).toContain('waymark_http_request_seconds_bucket{le="0.5",operation="scan",status="404"} 1')
  expect(lines).toContain('waymark_http_request_seconds_bucket{le="+Inf",operation="me.get",status="200"} 1')
  expect(lines).toContain('waymark_http_request_seconds_count{operation="me.get",status="200"} 1')
})
