/** Starts the service as a user would, with two organisations. */
import { devNull } from 'node:os'
import { readConfig } from '../../src/main/config.ts'
import { limitHeapGrowth } from '../../src/main/limit-heap-growth.ts'
import { startService } from '../../src/main/service.ts'
import { createKey } from '../../src/modules/account/api-keys/index.ts'
import { addMember } from '../../src/modules/account/members/index.ts'
import { createOrganisation } from '../../src/modules/account/organisations/index.ts'
import { startSession } from '../../src/modules/account/sessions/index.ts'
import { createUser } from '../../src/modules/account/users/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import { createLogger } from '../../src/platform/telemetry/logging.ts'
import { createAccessToken } from '../../src/testing/data/access-token.ts'
import { UNPACED } from '../../src/testing/unpaced.ts'
import { endWithParent, reportUsage } from './children.ts'
import type { OwnedTenant, ServiceReady } from './service.ts'

limitHeapGrowth()
// Read no .env file: only the settings of the benchmark count.
const config = readConfig(process.env, devNull)
const log = createLogger(config.logLevel)
let batches = 0
const service = await startService(config, 'all', log, {
  paces: UNPACED,
  observe: (sql) => {
    if (sql.startsWith('insert into "scans"')) batches++
  },
})
endWithParent(async () => {
  await service.close()
  log.flush()
})

reportUsage(() => batches)

const tenant = async (slug: string): Promise<OwnedTenant> => {
  const now = timestamp(Date.now())
  const { id } = await service.database.write((tx) => createOrganisation(tx, { name: `Bench ${slug}`, slug }, now))
  const { api_key } = await service.database.write((tx) => createKey(tx, id, { name: 'Bench' }, now))
  const { session, userId } = await service.database.write(async (tx) => {
    const owner = { email: `owner@${slug}.example`, first_name: null, last_name: null, passwordHash: null }
    const { id: userId } = await createUser(tx, owner, now)
    await addMember(tx, id, userId, 'owner', now)
    return { session: await startSession(tx, userId, id, { address: '127.0.0.1', device: '' }, now), userId }
  })
  const { token } = await createAccessToken(service.database, { orgId: id, userId }, ['articles.view'], Date.now())
  return { orgId: id, apiKey: api_key, session: session.token, accessToken: token }
}

const first = await tenant('first')
const second = await tenant('second')
process.send?.({ port: service.port, first, second } satisfies ServiceReady)
