import { dirname } from 'node:path'
import { UnusableDatabase } from '../platform/errors/operator-error.ts'

/** What to tell the operator about a file that is not as SQLite has left it. */
export const damagedDatabase = (file: string, detail: string): UnusableDatabase =>
  new UnusableDatabase(
    `The database ${file} is damaged: ${detail}. It was left as it is. Stop everything that uses it, move its folder ${dirname(file)} away, and keep it. Then restore the newest backup into an empty folder with \`npx waymark restore\` (docs/operations.md).`,
  )
