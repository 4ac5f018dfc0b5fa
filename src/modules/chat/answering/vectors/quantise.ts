/** Longer vectors are refused. The common models have 384 to 3,072 dimensions. */
export const DIMENSIONS_MAX = 4096

/** The direction of a vector, with one byte for each dimension. That is enough to compare directions. */
export function quantise(vector: readonly number[]): Int8Array {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  return Int8Array.from(vector, (value) => (largest === 0 ? 0 : Math.round((value / largest) * 127)))
}

export const toText = (vector: Int8Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
