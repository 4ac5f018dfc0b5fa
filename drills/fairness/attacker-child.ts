/** The process that attacks. It runs one attack and reports the statuses it received when it is stopped. */
import { endWithParent } from '../../bench/support/children.ts'
import type { AttackOrder } from './attacker.ts'
import { ATTACKS } from './attacks.ts'
import type { Statuses } from './sending.ts'

const statuses: Statuses = {}

endWithParent(async () => {})
process.on('message', (message: AttackOrder | { stop: true }) => {
  if (!('stop' in message)) void ATTACKS[message.attack](message, statuses)
  process.send?.(statuses)
})
process.send?.({ pid: process.pid })
