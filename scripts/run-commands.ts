import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

export interface Finished {
  command: string
  /** 0 if it has succeeded. */
  code: number | null
  /** What it has written, to standard output and then to standard error. */
  output: string
}

/** Runs commands in a shell, so many at once, in the order in which they are given. Yields each as it ends. */
export async function* runCommands(
  commands: readonly string[],
  atOnceMax: number,
  env: NodeJS.ProcessEnv,
): AsyncGenerator<Finished> {
  const waiting = [...commands]
  const running = new Map<string, Promise<Finished>>()
  while (waiting.length > 0 || running.size > 0) {
    for (const command of waiting.splice(0, atOnceMax - running.size)) running.set(command, run(command, env))
    const finished = await Promise.race(running.values())
    running.delete(finished.command)
    yield finished
  }
}

async function run(command: string, env: NodeJS.ProcessEnv): Promise<Finished> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], env })
  const exited = Promise.withResolvers<number | null>()
  child.once('error', exited.reject)
  child.once('close', exited.resolve)
  const [code, ...outputs] = await Promise.all([exited.promise, text(child.stdout), text(child.stderr)])
  return { command, code, output: outputs.join('') }
}
