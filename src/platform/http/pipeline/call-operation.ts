import type { IncomingMessage } from 'node:http'
import { newRequestId } from '../../ids/index.ts'
import type { Credential } from './context.ts'
import { Exchange, type Services } from './exchange.ts'
import { run } from './pipeline.ts'
import type { Route } from './routes.ts'

export interface Call {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
}

export interface CallResult {
  status: number
  /** Parsed JSON; undefined for 204. */
  // biome-ignore lint/suspicious/noExplicitAny: its shape is that of the operation's response
  body: any
  /** Whether somebody outside chose a part of it, or it may have a secret. */
  hasOutsideText: boolean
}

/** Who calls: the request of a page, and the person who is signed in. */
export interface Caller {
  request: IncomingMessage
  address: string
  credential: Credential
}

/**
 * Runs an operation of the API for one of our own pages. It takes all the steps of a request, so a person can do nothing
 * on a page that the API would not let them do.
 */
export async function callOperation(
  route: Route,
  { request, address, credential }: Caller,
  { params = {}, query = {}, body }: Call,
  services: Services,
): Promise<CallResult> {
  const { method, path, hasOutsideText = method !== 'GET' } = route.operation.declared
  const sent = {
    method,
    path: `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}`,
    params,
    query,
    headers: { 'content-type': 'application/json', 'user-agent': request.headers['user-agent'] },
    request,
    address: () => address,
    hasClientLeft: () => request.socket.destroyed,
    signal: () => NEVER_ABORTED,
  }
  const exchange = new Exchange(route, sent, newRequestId(), services.clock())
  exchange.credential = credential
  if (body !== undefined) exchange.rawBody = { content: Buffer.from(JSON.stringify(body)), release: () => {} }
  const response = await run(exchange, services)
  const parsed = response.body === '' ? undefined : JSON.parse(String(response.body))
  return { status: response.status, body: parsed, hasOutsideText }
}

/** A page is short. It completes even if the person has left. */
const NEVER_ABORTED = new AbortController().signal
