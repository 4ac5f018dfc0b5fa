import { Command, CommanderError } from 'commander'
import { DatabaseUnavailable, findDamagedDatabase } from '../platform/db/failures.ts'
import { ApiError, type ValidationDetails } from '../platform/errors/index.ts'
import { OperatorError, UNUSABLE_EXIT_CODE, UnusableDatabase } from '../platform/errors/operator-error.ts'
import { describeBuild, WAYMARK_VERSION } from '../platform/telemetry/build.ts'
import { type ReadSettings, readConfig } from './config.ts'
import { CommandFailed } from './output.ts'

const WRONG_USAGE = 2

/** The order is that of the help. Each is loaded only when it is needed, because loading all of them takes half as long again. */
const COMMANDS = new Map<string, () => Promise<(program: Command, readSettings: ReadSettings) => void>>([
  ['start', async () => (await import('./commands/start.ts')).addStart],
  ['migrate', async () => (await import('./commands/migrate.ts')).addMigrate],
  ['org', async () => (await import('./commands/org.ts')).addOrg],
  ['user', async () => (await import('./commands/user.ts')).addUser],
  ['key', async () => (await import('./commands/key.ts')).addKey],
  ['secret', async () => (await import('./commands/secret.ts')).addSecret],
  ['import', async () => (await import('./commands/import.ts')).addImport],
  ['articles', async () => (await import('./commands/articles.ts')).addArticles],
  ['demo', async () => (await import('./commands/demo.ts')).addDemo],
  ['backup', async () => (await import('./commands/backup.ts')).addBackup],
  ['restore', async () => (await import('./commands/restore.ts')).addRestore],
  ['doctor', async () => (await import('./commands/doctor.ts')).addDoctor],
])

/** What a command runs in. */
interface Surroundings {
  readSettings: ReadSettings
  writeOut(text: string): void
  writeErr(text: string): void
}

const PROCESS: Surroundings = {
  readSettings: () => readConfig(),
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
}

/** Runs a command and returns the exit code. */
export async function run(args: string[], surroundings = PROCESS): Promise<number> {
  // Read before the arguments are parsed, because errors in them are printed as JSON, too.
  const json = args.includes('--json')
  try {
    // Git is asked only if somebody wants to know.
    const version = args.some((arg) => arg === '--version' || arg === '-V') ? describeBuild() : WAYMARK_VERSION
    const program = createProgram(json, version, surroundings)
    for (const load of neededCommands(args)) (await load())(program, surroundings.readSettings)
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return error instanceof CommandFailed ? 1 : report(error, json, surroundings)
  }
}

/** The command that the arguments name. All commands if they name none: then their list is printed. */
function neededCommands(args: string[]) {
  // No option before the command has a value.
  const named = COMMANDS.get(args.find((arg) => !arg.startsWith('-')) ?? '')
  return named === undefined ? COMMANDS.values() : [named]
}

function createProgram(json: boolean, version: string, { writeOut, writeErr }: Surroundings): Command {
  return new Command('npx waymark')
    .description('QR codes for physical things. Print a code once and change its destination at any time.')
    .version(version)
    .option('--json', 'print one JSON document; errors go to stderr as {"error": {"message": …}}')
    .configureHelp({
      showGlobalOptions: true,
      commandDescription: (command) => joinLines(command.description()),
    })
    .configureOutput({ writeOut, writeErr: json ? () => {} : writeErr })
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      `
Settings come from environment variables and from a .env file in the working
directory. DATA_DIR is the folder of the embedded database (default: ./data);
set DATABASE_URL to use PostgreSQL instead. To check the installation, run
\`npx waymark doctor\`.`,
    )
}

/** Joins each paragraph into one line, because Commander wraps it to the width of the terminal. */
function joinLines(text: string): string {
  return text.replace(/(?<!\n)\n(?!\n)/g, ' ')
}

/** Prints an error and returns the exit code. */
function report(error: unknown, json: boolean, { writeErr }: Surroundings): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // In text mode, Commander has already printed the message and the command's help.
    if (json) writeErr(toDocument({ message: error.message.replace(/^error: /, '') }))
    return WRONG_USAGE
  }
  const message = describe(error)
  const { stack } = error as Error
  if (json)
    writeErr(toDocument({ message: message ?? String((error as Error).message), ...errorFacts(error, message) }))
  else writeErr(`${message ?? stack ?? String(error)}\n`)
  return error instanceof UnusableDatabase ? UNUSABLE_EXIT_CODE : 1
}

/** Returns one line about a problem that the operator can fix; undefined for a bug of ours. */
function describe(error: unknown): string | undefined {
  if (error instanceof ApiError) return describeApiError(error)
  if (error instanceof DatabaseUnavailable) {
    return `The database is unavailable: ${error.message}. Check it with \`npx waymark doctor\`, then try again.`
  }
  const damage = findDamagedDatabase(error)
  if (damage !== undefined)
    return `The database is damaged: ${damage.message}. Stop the service and restore the newest backup into an empty folder.`
  return error instanceof OperatorError ? error.message : undefined
}

/** The API's own message mentions a request body; a command only has values. */
function describeApiError({ code, details, message }: ApiError): string {
  if (code !== 'invalid_payload') return message
  const { fieldErrors } = details as ValidationDetails
  return Object.entries(fieldErrors)
    .map(([field, messages]) => `${field}: ${messages.join(', ')}.`)
    .join(' ')
}

function errorFacts(error: unknown, message: string | undefined): object {
  if (error instanceof ApiError) return { code: error.code, ...(error.details && { details: error.details }) }
  return message === undefined ? { stack: (error as Error).stack } : {}
}

const toDocument = (error: object): string => `${JSON.stringify({ error })}\n`
