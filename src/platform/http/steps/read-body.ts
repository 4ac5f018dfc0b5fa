import type { Step } from '../exchange.ts'

/** Reads the body if the operation has one. Comes after the steps that need only the headers and the URL. */
export const readBody: Step = (exchange, { bodies }) => {
  if (exchange.route.operation.declared.body === undefined || exchange.rawBody !== undefined) return
  const body = bodies.read(exchange.sent.request, exchange.caller.orgId, exchange.sent.signal)
  if (!(body instanceof Promise)) {
    exchange.rawBody = body
    return
  }
  return body.then((read) => {
    exchange.rawBody = read
  })
}
