import { serve } from '../platform/bounded/serve.ts'
import type { GatedTask } from './gate.ts'

const ran: string[] = []

/** Returns the names of all tasks that this thread has run. */
serve(({ name, gate }: GatedTask): string[] => {
  ran.push(name)
  Atomics.wait(new Int32Array(gate), 0, 0)
  return ran
})
