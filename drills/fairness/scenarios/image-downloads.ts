import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runCommand } from '../../../src/testing/process.ts'
import { describeStatuses } from '../attacker.ts'
import { both, type Finding, type Scenario, underAttack } from '../finding.ts'
import { onStage, type Stage, type Tenant } from '../stage.ts'

const IMAGE_BYTES = 14 * 1024 * 1024
const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')

/** Creates products with large images, 60 at once. */
export const imageDownloads: Scenario = {
  number: 4,
  title: '60 products at once, each with 4 images of 14 MiB',
  run: async (engine) => {
    const host = await startImageHost()
    try {
      return await onStage(engine, { settings: { WEBHOOK_DEV_ALLOW: host.address } }, async (stage) => {
        const tenant = await stage.createTenant('hostile')
        const order = { attack: 'images', apiKey: tenant.apiKey, given: Array(4).fill(host.url) } as const
        const attacked = await underAttack(stage, order, ['scan', 'me', 'write'])
        const downloads = { holds: true, figures: `${host.openMax()} downloads at once` }
        const others = { holds: true, figures: `attacker: ${describeStatuses(attacked.statuses)}` }
        return both(attacked, downloads, others, await quota(stage, tenant, host.url))
      })
    } finally {
      host.close()
    }
  },
}

export async function startImageHost() {
  const image = Buffer.concat([PNG], IMAGE_BYTES)
  let [open, openMax] = [0, 0]
  const server = createServer((_request, response) => {
    openMax = Math.max(openMax, ++open)
    response.on('close', () => open--)
    response.end(image)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `localhost:${(server.address() as AddressInfo).port}`
  return {
    address,
    url: `http://${address}/image.png`,
    openMax: () => openMax,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function quota({ settings, database }: Stage, { orgId, client }: Tenant, url: string): Promise<Finding> {
  const { slug } = await database.read
    .selectFrom('organisations')
    .select('slug')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow()
  const { code } = await runCommand(['org', 'set', slug, '--storage', '1MiB'], settings)
  if (code !== 0) return { holds: false, figures: 'no storage quota' }
  // The rate limit of the attack must not decide.
  await database.write(async (tx) => {
    await tx
      .updateTable('organisations')
      .set({ rate_per_minute: 1e9, rate_per_hour: 1e9 })
      .where('id', '=', orgId)
      .execute()
  })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const product = await client.post('/v1/products', { name: 'Chair', gtin: '96385074' })
  const { status } = await client.post(`/v1/products/${product.body?.id}/images`, { url })
  return { holds: status === 422, figures: `over the quota: ${status}` }
}
