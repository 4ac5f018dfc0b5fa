import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCommands } from './run-commands.ts'

const folder = mkdtempSync(join(tmpdir(), 'waymark-commands-'))
afterAll(() => rmSync(folder, { recursive: true }))

const toCommand = (code: string): string => `node -e "${code}"`

test('each command is reported with its output and exit code, also when another one has failed', async () => {
  const commands = [
    toCommand("console.log('out'); console.error('err'); process.exitCode = 3"),
    toCommand("console.log('fine')"),
    'no-such-command',
  ]
  const finished = new Map<string, [number | null, string]>()
  for await (const { command, code, output } of runCommands(commands, 2, process.env))
    finished.set(command, [code, output])
  expect(finished.get(commands[0] as string)).toEqual([3, 'out\nerr\n'])
  expect(finished.get(commands[1] as string)).toEqual([0, 'fine\n'])
  expect(finished.get('no-such-command')?.[0]).toBe(127)
})

test('a command that ends makes room for the next one, while a longer one runs', async () => {
  const file = join(folder, 'go on')
  const long = `until [ -e '${file}' ]; do sleep 0.05; done`
  const ended: string[] = []
  for await (const { command } of runCommands([long, 'echo 1', `touch '${file}'`], 2, process.env)) ended.push(command)
  expect(ended[0]).toBe('echo 1')
  expect(ended).toHaveLength(3)
})

test('no more run at once than allowed', async () => {
  const lock = join(folder, 'lock')
  const commands = [1, 2, 3].map((n) => `mkdir '${lock}' && sleep 0.1 && rmdir '${lock}' && echo ${n}`)
  const outputs: string[] = []
  for await (const { output } of runCommands(commands, 1, process.env)) outputs.push(output)
  expect(outputs).toEqual(['1\n', '2\n', '3\n'])
})
