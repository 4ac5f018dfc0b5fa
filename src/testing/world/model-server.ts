import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LlmSettings } from '../../platform/llm/index.ts'

/** A request for an answer. */
export interface ModelRequest {
  headers: IncomingHttpHeaders
  model: string
  /** What the model was told, and what it was given. */
  system: string
  user: string
  body: Record<string, unknown>
  /** Resolves when the client has closed the connection, or the response is complete. */
  closed: Promise<'complete' | 'aborted'>
}

/** What the server answers: a text, which is streamed, a status, or anything that a function does. */
type Reply = string | number | ((response: ServerResponse, request: ModelRequest) => void)
/** Returns a vector for a text, or a status for all of them. */
type Embed = number | ((text: string) => number[])

export const API_KEY = 'llm-secret-key-4711'
export const MODEL = 'acme-large'
export const SMALL_MODEL = 'acme-small'

/** An OpenAI-compatible endpoint on loopback. It stores every request, and answers as the test asks it to. */
export class TestModelServer {
  readonly requests: ModelRequest[] = []
  /** The texts of each request for embeddings. */
  readonly embedded: string[][] = []
  reply: Reply = 'I do not know.'
  embed: Embed = () => [1, 0]
  /** Which texts get a status of 400. */
  refuse: (texts: readonly string[]) => boolean = () => false
  /** How long it takes to compute vectors. */
  slowMs = 0
  /** Requests in flight, and the highest number of them so far. */
  open = 0
  openMax = 0
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<TestModelServer> {
    const server = createServer()
    const model = new TestModelServer(server)
    server.on('request', async (request, response) => {
      model.openMax = Math.max(model.openMax, ++model.open)
      response.on('close', () => model.open--)
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      if (request.method !== 'POST') return void response.writeHead(404).end()
      const body = JSON.parse(Buffer.concat(chunks).toString())
      if (request.headers.authorization !== `Bearer ${API_KEY}`) {
        // As real servers do, it repeats the key.
        response
          .writeHead(401)
          .end(JSON.stringify({ error: { message: `Wrong key ${request.headers.authorization}` } }))
      } else if (request.url === '/v1/embeddings') await model.#sendVectors(response, body.input)
      else if (request.url === '/v1/chat/completions') model.#answer(response, request.headers, body)
      else response.writeHead(404).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return model
  }

  /** The settings of a service that uses this server. */
  get settings(): LlmSettings {
    const { port } = this.#server.address() as AddressInfo
    return {
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: API_KEY,
      models: [
        { name: MODEL, credits: 7 },
        { name: SMALL_MODEL, credits: 2 },
      ],
      embeddingsModel: undefined,
      answerMsMax: 20_000,
      silenceMsMax: 10_000,
    }
  }

  get lastRequest(): ModelRequest {
    const last = this.requests.at(-1)
    if (last === undefined) throw new Error('the model was not asked')
    return last
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await once(this.#server.close(), 'close')
  }

  #answer(response: ServerResponse, headers: IncomingHttpHeaders, body: any): void {
    const { promise: closed, resolve } = Promise.withResolvers<'complete' | 'aborted'>()
    response.on('close', () => resolve(response.writableFinished ? 'complete' : 'aborted'))
    const [system, user] = body.messages.map(({ content }: { content: string }) => content)
    const request = { headers, model: body.model, system, user, body, closed }
    this.requests.push(request)
    const { reply } = this
    if (typeof reply === 'number')
      response.writeHead(reply).end(JSON.stringify({ error: { message: `No ${API_KEY}` } }))
    else if (typeof reply === 'function') reply(response, request)
    else streamText(response, reply)
  }

  async #sendVectors(response: ServerResponse, input: string[]): Promise<void> {
    this.embedded.push(input)
    const { embed } = this
    if (this.slowMs > 0) await sleep(this.slowMs)
    if (typeof embed === 'number' || this.refuse(input)) {
      response.writeHead(typeof embed === 'number' ? embed : 400).end()
      return
    }
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }))
  }
}

export const startStream = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' })

export const toEvent = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

export const FINISH = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`

/** Streams a text in pieces of a few characters, as models do. */
export function streamText(response: ServerResponse, text: string): void {
  startStream(response)
  for (const [piece] of text.matchAll(/.{1,7}/gsu)) response.write(toEvent(piece))
  response.end(FINISH)
}
