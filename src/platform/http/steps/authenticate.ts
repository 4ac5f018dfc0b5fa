import { isIP } from 'node:net'
import { ApiError } from '../../errors/index.ts'
import { addressBlock } from '../address-block.ts'
import type { Exchange, Services, Step } from '../exchange.ts'

const BEARER = /^bearer +(\S+) *$/i

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
    return refuse(error, exchange, services)
  }
  if (!(credential instanceof Promise)) {
    exchange.credential = credential
    return
  }
  return credential.then(
    (found) => {
      exchange.credential = found
    },
    (error) => refuse(error, exchange, services),
  )
}

function readToken(header: string | string[] | undefined): string {
  const token = typeof header === 'string' ? BEARER.exec(header)?.[1] : undefined
  if (token === undefined) {
    throw new ApiError('missing_api_key', 'Send your API key in the header "Authorization: Bearer <API_KEY>".')
  }
  return token
}

function refuse(error: unknown, { sent, nowMs }: Exchange, services: Services): never {
  if (!(error instanceof ApiError)) throw error
  const address = sent.address()
  // Behind a proxy that is trusted with any value, all that are not addresses count as one.
  const retryAfterSeconds = services.failedAttempts.count(isIP(address) === 0 ? '' : addressBlock(address), nowMs)
  if (retryAfterSeconds === 0) throw error
  services.metrics.rateLimited.inc()
  const message = `Too many requests with a wrong credential from your IP address. Retry after ${retryAfterSeconds} s.`
  throw new ApiError('rate_limited', message, { retryAfterSeconds })
}
