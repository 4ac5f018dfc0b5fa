import { setFlagsFromString } from 'node:v8'

/**
 * How much a heap may grow before its next full garbage collection. V8 would let it double and more, which is 100 MB of
 * garbage under load.
 */
const GROWTH_PERCENT_MAX = 70

/** Applies to this process and all its threads. */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT_MAX}`)

/**
 * V8 doubles the space for new objects whenever many of them survive. While a service starts, nearly all do, and 50 MB of
 * space would remain that it does not need when it is idle.
 */
export const holdNewSpace = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/** Lets the space grow again, for a service that has requests to serve. The factor is the default. */
export const releaseNewSpace = (): void => setFlagsFromString('--semi-space-growth-factor=2')
