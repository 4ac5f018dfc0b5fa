/** A limit that webhook receivers may rely on. */
const PAYLOAD_BYTES_MAX = 256 * 1024

/** Replaces a change whose values are too long. */
const OMITTED = { from: null, to: null, omitted: true }

/**
 * The old and new values of a resource together can exceed the limit of an event. Then the longest changes lose their
 * values, and if that is not enough, the fields in `omits` become null, longest first. Receivers can GET the resource.
 */
export function limitPayload(payload: Record<string, unknown>, omits: readonly string[] = []): Record<string, unknown> {
  const excess = bytesOf(payload) - PAYLOAD_BYTES_MAX
  if (excess <= 0) return payload
  const limited = { ...payload, ...(isRecord(payload.changes) && { changes: { ...payload.changes } }) }
  const left = isRecord(limited.changes)
    ? shorten(limited.changes, Object.keys(limited.changes), OMITTED, excess)
    : excess
  shorten(limited, omits, null, left)
  return limited
}

/** Replaces the longest of these fields by `instead` until the excess is gone. Returns the remaining excess. */
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
