import { setFlagsFromString } from 'node:v8'

/**
 * How much a heap may grow before its next full garbage collection. V8 would let it double and more, which is 100 MB of
 * garbage under load.
 */
const GROWTH_PERCENT_MAX = 70

/** Applies to this process and all its threads. */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT_MAX}`)
