import { Command, CommanderError } from 'commander'
import { DatabaseUnavailable } from '../platform/db/failures.ts'
import { ApiError, type ValidationDetails } from '../platform/errors/index.ts'
import { OperatorError } from '../platform/errors/operator-error.ts'
import { addArticles } from './commands/articles.ts'
import { addBackup } from './commands/backup.ts'
import { addDoctor } from './commands/doctor.ts'
import { addKey } from './commands/key.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOrg } from './commands/org.ts'
import { addRestore } from './commands/restore.ts'
import { addSecret } from './commands/secret.ts'
import { addStart } from './commands/start.ts'
import { CommandFailed } from './output.ts'
import { WAYMARK_VERSION } from './version.ts'

const WRONG_USAGE = 2

/** Runs the command that the arguments name, and answers the exit code. */
export async function run(args: string[]): Promise<number> {
  // Looked for before anything is parsed, because what cannot be parsed is told as JSON too.
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
    .description('Puts a code on a physical thing and decides, when somebody scans it, where it leads.')
    .version(WAYMARK_VERSION)
    .option('--json', 'print one JSON document; errors as {"error": {"message": …}} on stderr')
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
Settings come from the environment and from a file .env in the working folder:
DATA_DIR is where the embedded database is (./data), DATABASE_URL makes it
PostgreSQL. \`waymark doctor\` tells whether all is well.`,
    )
  const commands = [addStart, addMigrate, addOrg, addKey, addSecret, addArticles, addBackup, addRestore, addDoctor]
  for (const add of commands) add(program)
  return program
}

/** Paragraphs as one line each: the terminal's width decides where they break. */
function joinLines(text: string): string {
  return text.replace(/(?<!\n)\n(?!\n)/g, ' ')
}

/** Tells what went wrong, and answers the exit code. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // Commander has told people itself, with the command's help.
    if (json) printError({ message: error.message.replace(/^error: /, '') })
    return WRONG_USAGE
  }
  const message = describe(error)
  const { stack } = error as Error
  if (json) printError({ message: message ?? String((error as Error).message), ...toFacts(error, message) })
  else process.stderr.write(`${message ?? stack ?? String(error)}\n`)
  return 1
}

/** One line for what whoever runs the command can put right; undefined for a fault of ours. */
function describe(error: unknown): string | undefined {
  if (error instanceof ApiError) return describeApiError(error)
  if (error instanceof DatabaseUnavailable) return `The database does not answer: ${error.message}`
  return error instanceof OperatorError ? error.message : undefined
}

/** The API's own message speaks of a body; here there are only values. */
function describeApiError({ code, details, message }: ApiError): string {
  if (code !== 'invalid_payload') return message
  const { fieldErrors } = details as ValidationDetails
  return Object.entries(fieldErrors)
    .map(([field, complaints]) => `${field}: ${complaints.join(', ')}.`)
    .join(' ')
}

function toFacts(error: unknown, message: string | undefined): object {
  if (error instanceof ApiError) return { code: error.code, ...(error.details && { details: error.details }) }
  return message === undefined ? { stack: (error as Error).stack } : {}
}

function printError(error: object): void {
  process.stderr.write(`${JSON.stringify({ error })}\n`)
}
