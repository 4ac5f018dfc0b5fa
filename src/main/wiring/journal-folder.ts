import { join } from 'node:path'
import type { Ground } from './ground.ts'

/** A folder that belongs to this database alone, for what waits while the database is away. */
export const journalFolder = ({ config, keyring }: Ground, name: string): string =>
  join(config.dataDir, name, keyring.installationId)
