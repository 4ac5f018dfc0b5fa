import { Command, CommanderError } from 'commander'
import { DatabaseUnavailable } from '../platform/db/failures.ts'
import { ApiError, type ValidationDetails } from '../platform/errors/index.ts'
import { OperatorError } from '../platform/errors/operator-error.ts'
import { addArticles } from './commands/articles.ts'
import { addBackup } from './commands/backup.ts'
import { addDemo } from './commands/demo.ts'
import { addDoctor } from './commands/doctor.ts'
import { addKey } from './commands/key.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOrg } from './commands/org.ts'
import { addRestore } from './commands/restore.ts'
import { addSecret } from './commands/secret.ts'
import { addStart } from './commands/start.ts'
import { addUser } from './commands/user.ts'
import { CommandFailed } from './output.ts'
import { WAYMARK_VERSION } from './version.ts'

const WRONG_USAGE = 2

/** Runs a command and returns the exit code. */
export async function run(args: string[]): Promise<number> {
  // Read before the arguments are parsed, because errors in them are printed as JSON, too.
  const json = args.includes('--json')
  try {
    await createProgram(json).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return error instanceof CommandFailed ? 1 : report(error, json)
  }
}

function createProgram(json: boolean): Command {
  const program = new Command('waymark')
    .description('QR codes for physical things. Print a code once and change its destination at any time.')
    .version(WAYMARK_VERSION)
    .option('--json', 'print one JSON document; errors go to stderr as {"error": {"message": …}}')
    .configureHelp({
      showGlobalOptions: true,
      commandDescription: (command) => joinLines(command.description()),
    })
    .configureOutput(json ? { writeErr: () => {} } : {})
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      `
Settings come from environment variables and from a .env file in the working
directory. DATA_DIR is the folder of the embedded database (default: ./data);
set DATABASE_URL to use PostgreSQL instead. To check the installation, run
\`waymark doctor\`.`,
    )
  const commands = [
    addStart,
    addMigrate,
    addOrg,
    addUser,
    addKey,
    addSecret,
    addArticles,
    addDemo,
    addBackup,
    addRestore,
    addDoctor,
  ]
  for (const add of commands) add(program)
  return program
}

/** Joins each paragraph into one line, because Commander wraps it to the width of the terminal. */
function joinLines(text: string): string {
  return text.replace(/(?<!\n)\n(?!\n)/g, ' ')
}

/** Prints an error and returns the exit code. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // In text mode, Commander has already printed the message and the command's help.
    if (json) printError({ message: error.message.replace(/^error: /, '') })
    return WRONG_USAGE
  }
  const message = describe(error)
  const { stack } = error as Error
  if (json) printError({ message: message ?? String((error as Error).message), ...errorFacts(error, message) })
  else process.stderr.write(`${message ?? stack ?? String(error)}\n`)
  return 1
}

/** Returns one line about a problem that the operator can fix; undefined for a bug of ours. */
function describe(error: unknown): string | undefined {
  if (error instanceof ApiError) return describeApiError(error)
  if (error instanceof DatabaseUnavailable) {
    return `The database is unavailable: ${error.message}. Check it with \`waymark doctor\`, then try again.`
  }
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

function printError(error: object): void {
  process.stderr.write(`${JSON.stringify({ error })}\n`)
}
