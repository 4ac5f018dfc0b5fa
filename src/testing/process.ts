import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../main/config.ts'
import type { TestDatabase } from './engines/database.ts'
import { freePort } from './engines/postgres.ts'
import { eventually } from './eventually.ts'

/** A .env file of the project would add settings. */
const NO_FILE = '/nonexistent'
const CLI = fileURLToPath(new URL('../main/cli.mjs', import.meta.url))

export type Settings = Record<string, string>

/** The environment variables that make another process use this database. */
export const settingsFor = ({ location, folder }: Pick<TestDatabase, 'location' | 'folder'>): Settings => ({
  DATA_DIR: folder,
  ...('url' in location && { DATABASE_URL: location.url }),
})

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface CommandEnded extends Ended {
  /** The parsed stdout, or else stderr, if it is a JSON document. */
  json: any
}

const running = new Set<ChildProcess>()

/** Call it in `afterEach` or `afterAll`: kills every process that a test started, even if the test failed. */
export async function killProcesses(): Promise<void> {
  for (const child of running) child.kill('SIGKILL')
  await eventually(() => running.size === 0)
}

/** Runs `waymark` with these arguments as a process. The environment contains only these settings. */
export const runProcess = async (args: string[], settings: Settings = {}): Promise<CommandEnded> =>
  withJson(await launch(args, settings).ended)

/** The same in this process: to start one and load the program takes much longer than most commands. */
export async function runCommand(args: string[], settings: Settings = {}): Promise<CommandEnded> {
  // Loaded here, because most tests that start processes run no command.
  const { run } = await import('../main/program.ts')
  const output = { stdout: '', stderr: '' }
  const code = await run(args, {
    readSettings: () => readConfig(settings, NO_FILE),
    writeOut: (text) => {
      output.stdout += text
    },
    writeErr: (text) => {
      output.stderr += text
    },
  })
  return withJson({ code, ...output })
}

/** Creates an API key for the organisation that the first start has created. */
export async function createFirstKey(settings: Settings): Promise<string> {
  const { json } = await runCommand(['key', 'create', '--org', 'default', '--name', 'Tests', '--json'], settings)
  return json.api_key
}

/** A service in a separate process, as `npm start` runs it. */
export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  readonly stdout: string
  readonly ended: Promise<Ended>
  send(signal: NodeJS.Signals): void
}

export async function startServiceProcess(settings: Settings, args: string[] = []): Promise<ServiceProcess> {
  const port = settings.PORT ?? String(await freePort())
  const { child, output, ended } = launch(['start', ...args], { LOG_LEVEL: 'silent', PORT: port, ...settings })
  let earlyExit: Ended | undefined
  void ended.then((outcome) => {
    earlyExit = outcome
  })
  try {
    await eventually(() => {
      if (earlyExit !== undefined) throw new Error(`the service exited: ${earlyExit.stderr}`)
      return output.stdout.includes(`localhost:${port}`)
    })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    url: `http://localhost:${port}`,
    pid: child.pid ?? 0,
    get stdout() {
      return output.stdout
    },
    ended,
    send: (signal) => void child.kill(signal),
  }
}

/** Starts the service in a terminal, on a free port, and returns what it prints there. Only for Linux. */
export async function startInTerminal(settings: Settings): Promise<string> {
  const command = `'${process.execPath}' '${CLI}' start`
  const { output } = launch(['-qec', command, '/dev/null'], { LOG_LEVEL: 'silent', PORT: '0', ...settings }, 'script')
  return eventually(() => output.stdout.includes('Ctrl-C') && output.stdout)
}

/** Starts a program, by default `waymark`. `killProcesses` ends it. */
export function launch(args: string[], settings: Settings, program?: string) {
  const child = spawn(program ?? process.execPath, program === undefined ? [CLI, ...args] : args, {
    // Not the project folder: a .env file there would add settings.
    cwd: tmpdir(),
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code, ...output })
    })
  })
  return { child, output, ended }
}

const withJson = (ended: Ended): CommandEnded => ({
  ...ended,
  json: tryParse(ended.stdout) ?? tryParse(ended.stderr),
})

function tryParse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
