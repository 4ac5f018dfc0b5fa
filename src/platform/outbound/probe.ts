import { systemClock } from '../clock/index.ts'

export interface Probed {
  status: number
  headers: Headers
  /** How far the clock of the server is ahead of ours. Undefined if it does not say its time. */
  clockAheadMs: number | undefined
}

/**
 * Asks an address that the operator has configured, and reads only the head of the response. Such an address may be in a
 * private network, so this does not use the guarded client. Rejects if there is no response in time.
 */
export async function probe(url: string, timeoutMs: number): Promise<Probed> {
  const startedMs = systemClock()
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  const endedMs = systemClock()
  await response.body?.cancel()
  const serverMs = Date.parse(response.headers.get('date') ?? '')
  // The header has whole seconds, cut off: on average, half a second is missing.
  const clockAheadMs = Number.isNaN(serverMs) ? undefined : serverMs + 500 - (startedMs + endedMs) / 2
  return { status: response.status, headers: response.headers, clockAheadMs }
}

/** The same for an address of this installation that responds with a small JSON document. */
export async function probeJson(url: string, timeoutMs: number): Promise<unknown> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  return response.json()
}
