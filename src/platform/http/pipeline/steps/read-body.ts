import type { UploadReader } from '../../bodies/upload-reader.ts'
import type { Exchange, Step } from '../exchange.ts'

/** Reads the body if the operation has one. Comes after the steps that need only the headers and the URL. */
export const readBody: Step = (exchange, { bodies, uploads }) => {
  const { upload } = exchange.route.operation.declared
  if (upload !== undefined) return receiveUpload(exchange, upload.bytesMax, uploads)
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

async function receiveUpload(exchange: Exchange, bytesMax: number, uploads: UploadReader): Promise<void> {
  const { caller, sent } = exchange
  exchange.upload = await uploads.receive(sent.request, caller.orgId, bytesMax, sent.signal())
}
