/** A limit that webhook receivers may rely on. */
const PAYLOAD_BYTES_MAX = 256 * 1024

/** Replaces a change whose values are too long. */
const OMITTED = { from: null, to: null, omitted: true }

/**
 * The old and new values of a resource together can exceed the limit of an event. Then the longest changes lose their
 * values, and if that is not enough, the fields in `omits` become null, longest first. Receivers can GET the resource.
 */
export function limitPayload(payload: Record<string, unknown>, omits: readonly string[] = []): Record<string, unknown> {
  const changes = isRecord(payload.changes) ? new Measured(payload.changes) : undefined
  const fields = new Measured(payload, changes && { changes: changes.bytes })
  if (fields.bytes <= PAYLOAD_BYTES_MAX) return payload
  let left = fields.bytes - PAYLOAD_BYTES_MAX
  if (changes !== undefined) {
    left = changes.shorten(Object.keys(changes.fields), OMITTED, left)
    fields.fields.changes = changes.fields
  }
  fields.shorten(omits, null, left)
  return fields.fields
}

/** An object that can be shortened. Measures each field once, because a long text takes milliseconds. */
class Measured {
  /** A copy. */
  readonly fields: Record<string, unknown>
  /** The size of the whole object as JSON. */
  readonly bytes: number
  readonly #bytesByField: Record<string, number> = {}

  constructor(object: Record<string, unknown>, known: Record<string, number> = {}) {
    this.fields = { ...object }
    let bytes = '{}'.length
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue
      const ofField = known[name] ?? bytesOf(value)
      this.#bytesByField[name] = ofField
      bytes += bytesOf(name) + ':'.length + ofField + ','.length
    }
    // There is no comma after the last field.
    this.bytes = Math.max('{}'.length, bytes - ','.length)
  }

  /** Replaces the longest of these fields by `instead` until the excess is gone. Returns the remaining excess. */
  shorten(names: readonly string[], instead: unknown, excess: number): number {
    const bySaving = names
      .map((name) => ({ name, saved: (this.#bytesByField[name] ?? 0) - bytesOf(instead) }))
      .sort((a, b) => b.saved - a.saved)
    let left = excess
    for (const { name, saved } of bySaving) {
      if (left <= 0 || saved <= 0) break
      this.fields[name] = instead
      left -= saved
    }
    return left
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
