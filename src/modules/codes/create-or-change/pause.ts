import { pauseIn, type Tx } from '../../../platform/db/index.ts'

/** More items take milliseconds of the main thread in every step. */
const AT_ONCE = 100

/** Lets others use the main thread between two steps, if there are many items. */
export async function pauseBetween(tx: Tx, items: readonly unknown[]): Promise<void> {
  if (items.length > AT_ONCE) await pauseIn(tx)
}
