/** `npm run check`: runs all checks of package.json, as many at once as there are processors. */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommands } from './run-commands.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** They take longest, so they begin first. */
const LONGEST = ['check:types', 'check:texts']

process.chdir(ROOT)
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const isLong = (name: string): boolean => LONGEST.includes(name)
const names = Object.keys(scripts).filter((name) => name.startsWith('check:'))
const inOrder = [...LONGEST, ...names.filter((name) => !isLong(name))]
const nameOf = new Map(inOrder.map((name) => [scripts[name] as string, name]))
const env = {
  ...process.env,
  PATH: join(ROOT, 'node_modules/.bin') + delimiter + process.env.PATH,
  ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
}

for await (const { command, code, output } of runCommands([...nameOf.keys()], availableParallelism(), env)) {
  const isFine = code === 0
  console.log(`${isFine ? 'passed' : 'FAILED'}  ${nameOf.get(command)}`)
  if (isFine) continue
  console.log(`\n> ${command}\n${output}`)
  process.exitCode = 1
}
