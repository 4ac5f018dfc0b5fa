import { inject, test } from 'vitest'

/** For a single test in an `.api` file that does not depend on the engine. */
export const testOnce = test.runIf(inject('engine') === 'sqlite')
