import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenario } from '../finding.ts'
import { onStage } from '../stage.ts'

/** Looks for files of the service that other users of the machine could read. */
export const fileModes: Scenario = {
  number: 13,
  title: 'files that other users can read',
  run: (engine) =>
    onStage(engine, {}, async ({ folder }) => {
      const paths = [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))]
      const open = paths.filter((path) => (statSync(path).mode & 0o077) !== 0)
      return { holds: open.length === 0, figures: `${open.length} of ${paths.length}` }
    }),
}
