/**
 * The upper limit for deliveries, as if the queue and the log cost nothing. It uses the same guarded client, bodies,
 * headers, signatures and concurrency as the worker.
 */

import { sign } from '../../src/modules/webhooks/delivery/sign.ts'
import { newIdAt } from '../../src/platform/ids/index.ts'
import { createOutboundClient } from '../../src/platform/outbound/index.ts'
import { endWithParent, reportUsage } from '../support/children.ts'
import type { BareRun } from './bare.ts'

const client = createOutboundClient({ ports: [443], devAllow: (process.env.WEBHOOK_DEV_ALLOW ?? '').split(',') })
endWithParent(async () => client.close())
reportUsage()
process.on('message', async (message: { run?: BareRun }) => {
  if (message.run === undefined) return
  await run(message.run)
  process.send?.({})
})
process.send?.({})

async function run({ urls, secret, type, body, inFlightPerUrl, count }: BareRun): Promise<void> {
  let left = count
  const loop = async (url: string) => {
    while (left-- > 0) {
      const id = newIdAt(Date.now())
      const { status } = await client.request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Waymark',
          'x-service-event': type,
          'x-service-delivery': id,
          ...sign({ secret, oldSecret: undefined }, { id, type }, body, Date.now()),
        },
        body,
        timeoutMs: 15_000,
        bodyBytesMax: 64 * 1024,
        whenLarger: 'truncate',
      })
      if (status !== 200) throw new Error(`the receiver returned ${status}`)
    }
  }
  await Promise.all(urls.flatMap((url) => Array.from({ length: inFlightPerUrl }, () => loop(url))))
}
