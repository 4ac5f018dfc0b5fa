import { fieldsOf, noteChange } from '../audit/collect.ts'
import type { Tx } from '../db/index.ts'
import type { Changes } from './changes.ts'

/** Notes an event for the audit log: what changed, what is new, or what was deleted. */
export function noteEvent(
  tx: Tx,
  type: string,
  payload: Record<string, unknown>,
  before: object | undefined,
  unaudited: readonly string[] = [],
): void {
  const resource = { type: String(payload.object), id: String(payload.id) }
  noteChange(tx, type, resource, () => withhold(changesIn(type, payload, before), unaudited))
}

function changesIn(type: string, payload: Record<string, unknown>, before: object | undefined): Changes | null {
  if (payload.changes !== undefined) return payload.changes as Changes
  if (before !== undefined) return fieldsOf({ ...before }, (from) => ({ from, to: null }))
  return type.endsWith('.created') ? fieldsOf(payload, (to) => ({ from: null, to })) : null
}

const WITHHELD = { from: null, to: null, omitted: true } as const

function withhold(changes: Changes | null, names: readonly string[]): Changes | null {
  if (changes === null) return null
  const withheld = names.filter((name) => name in changes).map((name) => [name, WITHHELD] as const)
  return withheld.length === 0 ? changes : { ...changes, ...Object.fromEntries(withheld) }
}
