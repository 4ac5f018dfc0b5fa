import { hash } from 'node:crypto'
import { ApiError } from '../../errors/index.ts'
import type { Exchange, Services, Step } from '../exchange.ts'

const BEARER = /^bearer +(\S+) *$/i
/** Limits guessing: 60 failed attempts per minute from one address. */
const FAILURES = { perMinute: 60, perHour: Number.MAX_SAFE_INTEGER }

export const authenticate: Step = (exchange, services) => {
  let credential: ReturnType<Services['authenticators'][number]['authenticate']>
  try {
    const token = readToken(exchange.sent.headers.authorization)
    const authenticator = services.authenticators.find(({ prefix }) => token.startsWith(prefix))
    if (authenticator === undefined) {
      throw new ApiError('invalid_api_key', 'This credential is not recognised. Check that you copied all of it.')
    }
    credential = authenticator.authenticate(token, exchange.nowMs)
  } catch (error) {
    return countFailure(error, exchange, services)
  }
  if (!(credential instanceof Promise)) {
    exchange.credential = credential
    return
  }
  return credential.then(
    (found) => {
      exchange.credential = found
    },
    (error) => countFailure(error, exchange, services),
  )
}

function readToken(header: string | string[] | undefined): string {
  const token = typeof header === 'string' ? BEARER.exec(header)?.[1] : undefined
  if (token === undefined) {
    throw new ApiError('missing_api_key', 'Send your API key in the header "Authorization: Bearer <API_KEY>".')
  }
  return token
}

/** Stores only a hash of the address, because it only has to be compared. */
async function countFailure(error: unknown, { sent, nowMs }: Exchange, services: Services): Promise<never> {
  if (!(error instanceof ApiError)) throw error
  const key = `failed-authentication:${hash('sha256', sent.address(), 'base64')}`
  const { admitted, retryAfterSeconds } = await services.limiter.take(key, FAILURES, nowMs)
  if (admitted) throw error
  services.metrics.rateLimited.inc()
  const message = `Too many requests with a wrong credential from your IP address. Retry after ${retryAfterSeconds} s.`
  throw new ApiError('rate_limited', message, { retryAfterSeconds })
}
