import { ApiError } from '../errors/index.ts'

/** A named constraint refused a write. */
export class ConstraintViolation extends Error {
  readonly kind: 'unique' | 'foreign_key' | 'check'
  readonly constraint: string

  constructor(kind: ConstraintViolation['kind'], constraint: string, cause: unknown) {
    super(`${kind} constraint ${constraint} violated`, { cause })
    this.name = 'ConstraintViolation'
    this.kind = kind
    this.constraint = constraint
  }
}

/** A value that its column cannot hold, whoever sends it and however often. */
export class UnstorableValue extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'UnstorableValue'
  }
}

/** The database cannot be reached, is locked for too long, or its disk is full: the caller may retry. */
export class DatabaseUnavailable extends Error {
  /** Somebody else held a lock for too long; the database itself is well. */
  readonly locked: boolean

  constructor(message: string, cause: unknown, locked = false) {
    super(message, { cause })
    this.name = 'DatabaseUnavailable'
    this.locked = locked
  }
}

/**
 * Turns a violated unique constraint into the `conflict` of that field. The constraint decides, not a look-up
 * beforehand: two requests can race past a look-up.
 */
export async function unlessTaken<T>(constraint: string, field: string, value: unknown, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ConstraintViolation && error.constraint === constraint) {
      throw new ApiError('conflict', `Another resource already has this ${field}.`, {
        details: { field, value },
      })
    }
    throw error
  }
}
