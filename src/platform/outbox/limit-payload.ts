/** Receivers may rely on it: no body is larger. */
const PAYLOAD_BYTES_MAX = 256 * 1024

/** In the place of a change that is too long to be told. */
const OMITTED = { from: null, to: null, omitted: true }

/**
 * A resource has its limits, but what it was and what it is together can be over what an event may carry. Then the
 * longest of its changes are only named, and if that is not enough, the fields in `omits` are null, longest first:
 * whoever wants to know asks for the resource.
 */
export function fitPayload(payload: Record<string, unknown>, omits: readonly string[] = []): Record<string, unknown> {
  const excess = bytesOf(payload) - PAYLOAD_BYTES_MAX
  if (excess <= 0) return payload
  const fitted = { ...payload, ...(isRecord(payload.changes) && { changes: { ...payload.changes } }) }
  const left = isRecord(fitted.changes) ? shorten(fitted.changes, Object.keys(fitted.changes), OMITTED, excess) : excess
  shorten(fitted, omits, null, left)
  return fitted
}

/** Puts `instead` into the longest of these fields until the excess is gone. Answers how much of it is left. */
function shorten(fields: Record<string, unknown>, names: readonly string[], instead: unknown, excess: number): number {
  const bySaving = names
    .map((name) => ({ name, saved: bytesOf(fields[name]) - bytesOf(instead) }))
    .sort((a, b) => b.saved - a.saved)
  let left = excess
  for (const { name, saved } of bySaving) {
    if (left <= 0 || saved <= 0) break
    fields[name] = instead
    left -= saved
  }
  return left
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
