import type { Command } from 'commander'
import type { ReadSettings } from '../config.ts'
import type { DoctorCheck } from '../doctor/check.ts'
import { examine } from '../doctor.ts'
import { CommandFailed, print, wantsJson, write } from '../output.ts'

export function addDoctor(program: Command, readSettings: ReadSettings): void {
  program
    .command('doctor')
    .summary('check the installation')
    .description(
      `Checks Node, the settings, the data folder, the database and its contents, and the servers that the settings name: mail, files,
DNS, language models, and whether the public addresses lead here. Says how to fix each problem (✗) and what to think of (!).
Sends no mail, changes nothing and may run while the service does. With a lot of data it takes a while. Exits with 1 if a check
fails.`,
    )
    .action(async (_options: object, command: Command) => {
      const checks: DoctorCheck[] = []
      for await (const check of examine(readSettings)) {
        checks.push(check)
        // Printed one by one, because the last checks take long.
        if (!wantsJson(command)) write(command, describe(check))
      }
      const ok = checks.every((check) => check.ok)
      if (wantsJson(command)) print(command, { ok, checks }, '')
      if (!ok) throw new CommandFailed()
    })
}

const signOf = ({ ok, remedy }: DoctorCheck): string => (!ok ? '✗' : remedy === undefined ? '✓' : '!')

const describe = (check: DoctorCheck): string => {
  const { name, detail, remedy } = check
  return `${signOf(check)} ${name}: ${detail}${remedy === undefined ? '' : `\n    ${remedy}`}`
}
