import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { type Handle, inOrder, type RequestHandler } from './request-handler.ts'

const [request, response] = [{} as IncomingMessage, {} as ServerResponse]

/** Notes that it saw the request, and what it does with it. */
function handlers() {
  const seen: string[] = []
  const one = (name: string, tryHandle: (next: Handle) => boolean): RequestHandler => ({
    tryHandle: (_request, _response, next) => {
      seen.push(name)
      return tryHandle(next)
    },
    methodsOf: () => [],
  })
  const routes: Handle = () => void seen.push('routes')
  return { seen, one, routes }
}

test('handlers see a request in their order, until one handles it', () => {
  const { seen, one, routes } = handlers()
  const enter = inOrder([one('hosts', () => false), one('scans', () => true), one('pages', () => true)], routes)
  enter(request, response)
  expect(seen).toEqual(['hosts', 'scans'])
})

test('what nobody handles goes to the routes', () => {
  const { seen, one, routes } = handlers()
  inOrder([one('hosts', () => false)], routes)(request, response)
  inOrder([], routes)(request, response)
  expect(seen).toEqual(['hosts', 'routes', 'routes'])
})

test('a handler can let the request go on later, to those after it', async () => {
  const { seen, one, routes } = handlers()
  const { promise: known, resolve: find } = Promise.withResolvers<void>()
  const waiting = one('hosts', (next) => {
    void known.then(() => next(request, response))
    return true
  })
  inOrder([waiting, one('scans', () => false)], routes)(request, response)
  expect(seen).toEqual(['hosts'])
  find()
  await known
  expect(seen).toEqual(['hosts', 'scans', 'routes'])
})
