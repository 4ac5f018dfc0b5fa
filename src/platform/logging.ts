import pino, { type DestinationStream, type Logger } from 'pino'

import { systemClock, timestamp } from './clock.ts'

export type { Logger } from 'pino'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

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
    destination ?? pino.destination({ dest: 1, sync: false }),
  )
