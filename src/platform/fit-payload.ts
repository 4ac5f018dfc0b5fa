/** Receivers may rely on it: no body is larger. */
const PAYLOAD_BYTES_MAX = 256 * 1024

/** In the place of a change that is too long to be told. */
const OMITTED = { from: null, to: null, omitted: true }

/**
 * A resource has its limits, but what it was and what it is together can be over what an event may carry. Then the
 * longest of its changes are only named: whoever wants to know asks for the resource.
 */
export function fitPayload(payload: Record<string, unknown>): Record<string, unknown> {
  let bytes = bytesOf(payload)
  if (bytes <= PAYLOAD_BYTES_MAX) return payload
  const changes = { ...(payload.changes as Record<string, unknown>) }
  const bySize = Object.entries(changes)
    .map(([name, change]) => ({ name, bytes: bytesOf(change) }))
    .sort((a, b) => b.bytes - a.bytes)
  for (const change of bySize) {
    changes[change.name] = OMITTED
    bytes -= change.bytes - bytesOf(OMITTED)
    if (bytes <= PAYLOAD_BYTES_MAX) break
  }
  return { ...payload, changes }
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
