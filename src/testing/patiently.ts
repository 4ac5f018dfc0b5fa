import type { Reply } from './client.ts'

/**
 * Repeats a request that is refused because it had to wait too long, as clients are told to. For tests that send many at once,
 * which a busy machine cannot serve in time.
 */
export async function patiently(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send()
    if (reply.status !== 503) return reply
  }
}
