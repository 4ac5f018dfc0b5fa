import http from 'node:http'
import type { Db } from '../../../src/platform/db/index.ts'
import type { Scenario } from '../finding.ts'
import { onStage } from '../stage.ts'

const REQUESTS = 3000
const ALLOWED = 60

/** Guesses API keys from the many addresses of one IPv6 network. */
export const failedKeys: Scenario = {
  number: 12,
  title: `${REQUESTS.toLocaleString('en')} wrong keys from one IPv6 /64`,
  run: (engine) =>
    onStage(engine, { settings: { TRUST_PROXY: '127.0.0.0/8' } }, async (stage) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
      const statuses: Record<string, number> = {}
      const guess = (n: number) =>
        new Promise<void>((resolve, reject) => {
          const headers = {
            authorization: `Bearer wm_live_${String(n).padStart(40, '0')}`,
            'x-forwarded-for': `2001:db8:1:1:${n.toString(16)}::1`,
          }
          http
            .get({ host: '127.0.0.1', port: stage.port, path: '/v1/me', headers, agent }, (response) => {
              const status = String(response.statusCode)
              statuses[status] = (statuses[status] ?? 0) + 1
              response.resume().on('end', resolve)
            })
            .on('error', reject)
        })
      for (let n = 0; n < REQUESTS; n += 100) await Promise.all(Array.from({ length: 100 }, (_, k) => guess(n + k)))
      agent.destroy()
      const guessed = statuses['401'] ?? 0
      const stored = engine === 'postgres' ? await countStored(stage.database.read) : 0
      return {
        // The window may move on by a minute meanwhile.
        holds: guessed <= 2 * ALLOWED && stored === 0,
        figures: `${guessed} guesses allowed${engine === 'postgres' ? `, ${stored} counters in the database` : ''}`,
      }
    }),
}

async function countStored(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('rate_windows')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('key', 'like', 'failed-authentication%')
    .executeTakeFirstOrThrow()
  return Number(count)
}
