import type { Actor } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { auditPerson } from '../members/index.ts'

export type FactorsChange =
  | { action: 'factor_added' | 'factor_removed'; factor: 'totp' | 'passkey' }
  | { action: 'recovery_codes_renewed' | 'factors_reset' }

/** Called in the transaction of every change to the factors of a person. All their organisations can see it. */
export async function factorsChanged(
  tx: Tx,
  user: { id: string },
  change: FactorsChange,
  actor: Actor,
  now: Timestamp,
): Promise<void> {
  const entry = {
    action: `user.${change.action}`,
    resource: { type: 'user', id: user.id },
    changes: 'factor' in change ? changesOf(change) : null,
  }
  await auditPerson(tx, user.id, actor, [entry], now)
}

const changesOf = ({ action, factor }: Extract<FactorsChange, { factor: string }>) => ({
  factor: action === 'factor_added' ? { from: null, to: factor } : { from: factor, to: null },
})
