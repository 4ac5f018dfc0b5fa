import { inject, test } from 'vitest'

/** Registers a single test of an `.api` file that does not depend on the engine. */
export const testOnce = test.runIf(inject('engine') === 'sqlite')
