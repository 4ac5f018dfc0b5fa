import type { Database } from './types.ts'

/**
 * The same database for code that anybody can make write, such as signing in. Its transactions are not the service's own, so
 * however many there are, they take turns like those of one organisation.
 */
export const forStrangers = (database: Database): Database => ({
  ...database,
  write: (work, party = 'strangers') => database.write(work, party),
})
