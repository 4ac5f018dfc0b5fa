import type { Command } from 'commander'
import { type Check, examine } from '../doctor.ts'
import { CommandFailed, print, wantsJson } from '../output.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('check that all is well')
    .description(
      `Checks Node, the settings, the data folder, the database and what is in it, and says what to do about what
is wrong. Changes nothing and may run beside the service; with much data it takes a while. Exits with 1 when
something is wrong.`,
    )
    .action(async (_options: object, command: Command) => {
      const checks: Check[] = []
      for await (const check of examine()) {
        checks.push(check)
        // One by one, because the last ones take long.
        if (!wantsJson(command)) process.stdout.write(`${describe(check)}\n`)
      }
      const ok = checks.every((check) => check.ok)
      if (wantsJson(command)) print(command, { ok, checks }, '')
      if (!ok) throw new CommandFailed()
    })
}

const describe = ({ name, ok, detail, remedy }: Check): string =>
  `${ok ? '✓' : '✗'} ${name}: ${detail}${remedy === undefined ? '' : `\n    ${remedy}`}`
