import pino, { type DestinationStream, type Logger } from 'pino'
import { systemClock, timestamp } from '../clock/index.ts'

export type { Logger } from 'pino'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/** Lines are written together, and none waits longer than anybody who watches would notice. */
const BUFFER_BYTES = 4096
const FLUSH_MS = 200

/** Wherever one of these would be logged, its value is not. */
const SECRETS = ['authorization', 'cookie', 'api_key', 'password', 'signing_secret', 'secret', 'token', 'database_url']

export const createLogger = (level: LogLevel, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${timestamp(systemClock())}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS }),
  )

export interface RequestEntry {
  requestId: string
  operation: string
  status: number
  ms: number
}

/**
 * Writes the line of a request. There is one for each, so it is put together by hand, in a tenth of the time:
 * all its values are numbers or names of our own, in which there is nothing to escape and no secret.
 */
export function requestLogger(log: Logger): (entry: RequestEntry) => void {
  if (!log.isLevelEnabled('info')) return () => {}
  const stream = (log as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym]
  return ({ requestId, operation, status, ms }) =>
    stream?.write(
      `{"level":"info","time":"${timestamp(systemClock())}","request_id":"${requestId}","operation":"${operation}","status":${status},"ms":${ms.toFixed(2)},"msg":"answered"}\n`,
    )
}
