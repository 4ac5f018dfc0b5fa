import { Updated } from '../../../platform/contract/index.ts'
import type { RefusedItem } from '../../../platform/contract/operation.ts'
import { ConstraintViolation } from '../../../platform/db/failures.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { ApiError, atItem, invalidPayload, type ValidationDetails } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { DrawnSlugTaken } from '../scan-targets/index.ts'
import { type ItemInput, type ItemRow, ItemsRefused, type Kind } from './kind.ts'
import { planAll } from './plan.ts'
import { type Done, writeAll } from './write.ts'

/** The second attempt finds what the first one lost a race to, unless that was deleted in between. */
const ATTEMPTS_MAX = 5
/** More items than these take long to write. */
const SHORT_MAX = 20
/** Nobody reads more errors than these. */
const REPORTED_MAX = 100

type ItemOutcome<Resource> = Done<Resource> | { result: 'error'; error: ApiError }

/** Creates one resource, or changes the one that already has its key. */
export function createOrChange<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  ctx: Context,
  kind: Kind<Input, Row, Resource>,
  input: Input,
): Promise<Resource | Updated<Resource>> {
  return createOrChangeSame(ctx, kind, [input], ([done]) => {
    const { result, resource } = done as Done<Resource>
    return result === 'created' ? resource : new Updated(resource)
  })
}

const allOrNone =
  (toError: (errors: ReadonlyMap<number, ApiError>) => ApiError) =>
  <Input extends ItemInput, Row extends ItemRow, Resource extends object, Response>(
    ctx: Context,
    kind: Kind<Input, Row, Resource>,
    inputs: readonly Input[],
    respond: (outcomes: Done<Resource>[]) => Response,
  ): Promise<Response> =>
    unwrapRefusal(
      save(ctx, kind, inputs, 'all', (outcomes) => respond(outcomes as Done<Resource>[])),
      toError,
    )

/** The same for many, all or none. An error names the item that it is about. */
export const createOrChangeAll = allOrNone((errors) => joinErrors(errors))

/** The same for items that a request describes once: an error is about that description. */
export const createOrChangeSame = allOrNone((errors) => errors.get(0) as ApiError)

interface Batch<Input> {
  mode: 'all' | 'each'
  items: readonly Input[]
}

/** The same for a batch, whose response says what became of each item. */
export function createOrChangeBatch<
  Input extends ItemInput,
  Row extends ItemRow,
  Resource extends { id: string; url: string | null },
  Key extends string,
>(
  ctx: Context,
  kind: Kind<Input, Row, Resource> & { keyField: Key },
  { mode, items }: Batch<Input>,
  refused: readonly RefusedItem[],
) {
  const refusedAt = new Map(refused.map((item) => [item.index, item]))
  const length = items.length + refused.length
  const positions = Array.from({ length }, (_, index) => index).filter((index) => !refusedAt.has(index))
  const toResult = (index: number, sent: unknown, outcome: ItemOutcome<Resource>) => {
    const done = outcome.result === 'error' ? undefined : outcome.resource
    return {
      index,
      result: outcome.result,
      id: done?.id ?? null,
      url: done?.url ?? null,
      ...({ [kind.keyField]: toKey(done ?? sent, kind.keyField) } as { [Name in Key]: string | null }),
      error: outcome.result === 'error' ? toBody(outcome.error) : null,
    }
  }
  return unwrapRefusal(
    save(ctx, kind, items, mode, (outcomes) => {
      const data = outcomes.map((outcome, n) => {
        const index = positions[n] as number
        const isError = outcome.result === 'error'
        return toResult(index, items[n], isError ? { ...outcome, error: atItem(outcome.error, index) } : outcome)
      })
      for (const { index, sent, error } of refused) data.push(toResult(index, sent, { result: 'error', error }))
      data.sort((one, other) => one.index - other.index)
      const count = (result: ItemOutcome<Resource>['result']) => data.filter((item) => item.result === result).length
      return {
        object: 'batch' as const,
        mode,
        created: count('created'),
        updated: count('updated'),
        unchanged: count('unchanged'),
        failed: count('error'),
        data,
      }
    }),
    joinErrors,
  )
}

/** An external id has up to 255 characters, and an emoji has a length of two. */
const KEY_LENGTH_MAX = 510

/** The key of an item, unless what was sent cannot be one. */
function toKey(item: unknown, field: string): string | null {
  const key = typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : null
  return typeof key === 'string' && key.length <= KEY_LENGTH_MAX ? key : null
}

const toBody = ({ code, message, details }: ApiError) => ({
  error: code,
  message,
  details: (details as Record<string, unknown> | undefined) ?? null,
})

async function save<Input extends ItemInput, Row extends ItemRow, Resource extends object, Response>(
  ctx: Context,
  kind: Kind<Input, Row, Resource>,
  inputs: readonly Input[],
  mode: Batch<Input>['mode'],
  respond: (outcomes: ItemOutcome<Resource>[]) => Response,
): Promise<Response> {
  const taken = new Map<number, ApiError>()
  for (let attempt = 1; ; attempt++) {
    try {
      const work = async (tx: Tx) => {
        const { plans, errors, urls } = await planAll(tx, ctx, kind, inputs)
        for (const [index, error] of taken) errors.set(index, error)
        if (mode === 'all' && errors.size > 0) throw new ItemsRefused(errors)
        const valid = plans.filter(({ index }) => !errors.has(index))
        const done = await writeAll(tx, ctx, kind, valid, urls)
        return respond(inputs.map((_, index) => toOutcome(errors.get(index), done.get(index))))
      }
      return await (inputs.length > SHORT_MAX ? ctx.writeInPieces(work) : ctx.write(work))
    } catch (error) {
      // An address that is taken is only noticed when it is claimed. The other items are done without those that want it.
      const areRefused = mode === 'each' && error instanceof ItemsRefused
      if (areRefused) for (const [index, refusal] of error.errors) taken.set(index, refusal)
      const isJustTaken = error instanceof ConstraintViolation && kind.uniqueIndexes.includes(error.constraint)
      const mayDrawAgain = error instanceof DrawnSlugTaken
      if (!isJustTaken && !mayDrawAgain && !areRefused) throw error
      // Our transaction was rolled back, including claimed slugs. The next attempt finds the rows of the other request.
      if (attempt === ATTEMPTS_MAX)
        throw new ApiError('conflict', 'Other requests create the same items at the same time. Send the request again.')
    }
  }
}

const toOutcome = <Resource>(error: ApiError | undefined, done: Done<Resource> | undefined): ItemOutcome<Resource> =>
  error === undefined ? (done as Done<Resource>) : { result: 'error', error }

async function unwrapRefusal<Response>(
  saved: Promise<Response>,
  toError: (errors: ReadonlyMap<number, ApiError>) => ApiError,
): Promise<Response> {
  try {
    return await saved
  } catch (error) {
    throw error instanceof ItemsRefused ? toError(error.errors) : error
  }
}

/** Reports all invalid fields at once. Other errors have one field each: the first of them is reported. */
function joinErrors(errors: ReadonlyMap<number, ApiError>): ApiError {
  const inOrder = [...errors].sort(([one], [other]) => one - other)
  const invalid = inOrder.filter(([, { code }]) => code === 'invalid_payload').slice(0, REPORTED_MAX)
  const [[index, first]] = inOrder as [[number, ApiError]]
  if (invalid.length === 0) return atItem(first, index)
  const fields = invalid.map(([index, error]) => (atItem(error, index).details as ValidationDetails).fieldErrors)
  return invalidPayload(Object.assign({}, ...fields))
}
