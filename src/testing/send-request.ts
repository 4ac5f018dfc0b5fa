import http from 'node:http'

export interface SentReply {
  status: number
  headers: Headers
  text: string
}

interface SentRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array | undefined
}

/** Sends the path and the headers unchanged, and no other headers. `fetch` does neither, and costs more. */
export function sendRequest(baseUrl: string, { method, path, headers, body }: SentRequest): Promise<SentReply> {
  const { hostname, port } = new URL(baseUrl)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, method, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: toHeaders(response.rawHeaders),
          text: new TextDecoder().decode(Buffer.concat(chunks)),
        }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** `raw` has names and values in turn. */
function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let n = 0; n < raw.length; n += 2) headers.append(raw[n] as string, raw[n + 1] as string)
  return headers
}
