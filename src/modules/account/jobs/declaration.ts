import type { Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { JobItem, JobKindName } from './contract.ts'

/** A kind of long work, declared by the family that has it. `Input` is what was asked for, as JSON stores it. */
export interface JobKind<Input = never> {
  /** Jobs wait in the database under this name, so it never changes. */
  readonly kind: JobKindName
  /**
   * Prepares what comes after a place, or first if that is null. Takes milliseconds, however few targets there are: it may find
   * none before the end of the piece.
   */
  nextPiece(ctx: Context, input: Input, after: string | null): Promise<Piece>
}

/** What is done in one transaction. */
export interface Piece {
  /** In the order of their places. Few enough that others do not wait long for the writer. */
  readonly targets: readonly JobTarget[]
  /** Where the next piece begins; null if there is none. */
  readonly end: string | null
  /**
   * Carries out the job for all targets, or for one of them, and says what became of them. They were found outside of this
   * transaction, so it checks again what it depends on. It may leave one out that is no target any more.
   */
  apply(tx: Tx, ctx: Context, targets: readonly JobTarget[]): Promise<JobOutcome[]>
}

export interface JobTarget {
  kind: string
  id: string
  name: string | null
  /** Where the job goes on after it. */
  place: string
  /** What its kind needs to know about it. */
  memo?: unknown
}

export interface JobOutcome extends Pick<JobTarget, 'kind' | 'id' | 'name'> {
  result: JobItem['result']
  reason?: JobItem['reason']
  error?: JobItem['error']
  /** What the kind needs to know about it later. Stored with the item, and not shown. */
  memo?: unknown
}

/** Every kind of job that can be carried out, by its name. */
export type JobCatalogue = ReadonlyMap<string, JobKind>

export function createCatalogue(families: readonly (readonly JobKind[])[]): JobCatalogue {
  const catalogue = new Map<string, JobKind>()
  for (const declared of families.flat()) {
    if (catalogue.has(declared.kind)) throw new Error(`The job ${declared.kind} is declared twice.`)
    catalogue.set(declared.kind, declared)
  }
  return catalogue
}
