import { isIP } from 'node:net'
import { ApiError } from '../../../errors/index.ts'
import { addressBlock } from '../../server/address-block.ts'
import { isFromOwnPage } from '../../server/own-page.ts'
import { challenge } from '../challenge.ts'
import type { Credential } from '../context.ts'
import type { Exchange, Services, Step } from '../exchange.ts'

const BEARER = /^bearer +(\S+) *$/i

export const authenticate: Step = (exchange, services) => {
  // One of our own pages calls the operation and has authenticated the person already.
  if (exchange.credential !== undefined) return
  let credential: Credential | Promise<Credential>
  try {
    credential = readCredential(exchange, services)
  } catch (error) {
    return refuse(error, exchange, services)
  }
  if (!(credential instanceof Promise)) {
    accept(credential, exchange, services)
    return
  }
  return credential.then(
    (found) => accept(found, exchange, services),
    (error) => refuse(error, exchange, services),
  )
}

function accept(credential: Credential, exchange: Exchange, { uses }: Services): void {
  exchange.credential = credential
  uses.used(credential, exchange.sent, exchange.nowMs)
}

function readCredential({ sent, nowMs }: Exchange, services: Services): Credential | Promise<Credential> {
  const { authorization, cookie } = sent.headers
  const session = authorization === undefined ? services.sessions.cookie.read(cookie as string | undefined) : undefined
  if (session !== undefined) {
    if (!isFromOwnPage(sent.method, sent.headers)) {
      throw new ApiError('forbidden', 'A page of another site sent this request. Only our own pages may use a session.')
    }
    return services.sessions.authenticate(session, nowMs)
  }
  const token = readToken(authorization)
  const authenticator = services.authenticators.find(({ prefix }) => token.startsWith(prefix))
  if (authenticator === undefined) {
    throw new ApiError('invalid_api_key', 'This credential is not recognised. Check that you copied all of it.')
  }
  return authenticator.authenticate(token, nowMs)
}

function readToken(header: string | string[] | undefined): string {
  const token = typeof header === 'string' ? BEARER.exec(header)?.[1] : undefined
  if (token === undefined) {
    throw new ApiError('missing_api_key', 'Send your API key in the header "Authorization: Bearer <API_KEY>".')
  }
  return token
}

function refuse(error: unknown, { route, sent, nowMs, headers }: Exchange, services: Services): never {
  if (!(error instanceof ApiError)) throw error
  if (error.status === 401) {
    const problem = error.code === 'missing_api_key' ? undefined : 'invalid_token'
    headers['www-authenticate'] = challenge(services, route.operation.scope, problem)
  }
  const address = sent.address()
  // Behind a proxy that is trusted with any value, all that are not addresses count as one.
  const retryAfterSeconds = services.failedAttempts.count(isIP(address) === 0 ? '' : addressBlock(address), nowMs)
  if (retryAfterSeconds === 0) throw error
  services.metrics.rateLimited.inc()
  const message = `Too many requests with a wrong credential from your IP address. Retry after ${retryAfterSeconds} s.`
  throw new ApiError('rate_limited', message, { retryAfterSeconds })
}
