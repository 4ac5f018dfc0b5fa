/** A task for `gated-thread.ts`. It ends when the test opens its gate. */
export interface GatedTask {
  name: string
  gate: SharedArrayBuffer
}

export const newGate = (): SharedArrayBuffer => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)

export function openGate(gate: SharedArrayBuffer): SharedArrayBuffer {
  Atomics.store(new Int32Array(gate), 0, 1)
  Atomics.notify(new Int32Array(gate), 0)
  return gate
}
