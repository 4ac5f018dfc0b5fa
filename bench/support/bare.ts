import { Child } from './children.ts'

export interface BareAnswer {
  method: 'GET' | 'POST'
  /** As Fastify writes it: `/things/:id`. */
  route: string
  status: number
  contentType: string
  /** Serialised anew for each request, as any handler would. */
  json: unknown
}

export interface BareServer extends AsyncDisposable {
  port: number
  cpuMicros(): Promise<number>
}

export async function startBareServer(answers: BareAnswer[]): Promise<BareServer> {
  const child = await Child.start<object>(new URL('./bare-child.ts', import.meta.url))
  const { port } = await child.ask<{ port: number }>(answers)
  return { port, cpuMicros: () => child.cpuMicros(), [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}
