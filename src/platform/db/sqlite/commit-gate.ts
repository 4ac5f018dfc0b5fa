/** The number of commits that are held back, and whether the next ones are. Threads share it. */
export type CommitGate = Int32Array<SharedArrayBuffer>

const WAITING = 0
const IS_CLOSED = 1

export const newCommitGate = (): CommitGate => new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

/** Holds back every commit until `openGate`. */
export function closeGate(gate: CommitGate): void {
  Atomics.store(gate, IS_CLOSED, 1)
}

export function openGate(gate: CommitGate): void {
  Atomics.store(gate, IS_CLOSED, 0)
  Atomics.notify(gate, IS_CLOSED)
}

export const isCommitWaiting = (gate: CommitGate): boolean => Atomics.load(gate, WAITING) > 0

/** Blocks this thread while the gate is closed. */
export function passGate(gate: CommitGate): void {
  Atomics.add(gate, WAITING, 1)
  Atomics.wait(gate, IS_CLOSED, 1)
  Atomics.sub(gate, WAITING, 1)
}
