import { SECOND_MS } from '../../platform/clock/index.ts'

export interface DoctorCheck {
  name: string
  ok: boolean
  detail: string
  /** How to fix the problem: of a failed check, or of one that is only a warning. */
  remedy?: string
}

export const pass = (name: string, detail: string): DoctorCheck => ({ name, ok: true, detail })
export const warn = (name: string, detail: string, remedy: string): DoctorCheck => ({ name, ok: true, detail, remedy })
export const fail = (name: string, detail: string, remedy: string): DoctorCheck => ({ name, ok: false, detail, remedy })

/** Limits each question to something outside of this process. */
export const ANSWER_MS_MAX = 15 * SECOND_MS

/** Rejects if the work takes longer. What it is waiting for is left alone. */
export async function answered<T>(work: Promise<T>, msMax = ANSWER_MS_MAX): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${msMax / SECOND_MS} seconds`)), msMax)
  work.catch(() => {})
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
