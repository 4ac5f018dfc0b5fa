import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { ANSWER_MS_MAX } from './check.ts'

const run = promisify(execFile)

/** Where systemd says it: its command, which also knows of chrony, or a file that works without its bus. */
const SYSTEMD = { command: 'timedatectl', file: '/run/systemd/timesync/synchronized' }

/** Whether this machine synchronises its clock. Undefined if it does not say so, as in a container. */
export async function isSynchronised({ command, file } = SYSTEMD): Promise<boolean | undefined> {
  const known: Record<string, boolean> = { yes: true, no: false }
  const args = ['show', '--property=NTPSynchronized', '--value']
  const said = await run(command, args, { timeout: ANSWER_MS_MAX }).catch(() => ({ stdout: '' }))
  return known[said.stdout.trim()] ?? (existsSync(file) || undefined)
}
