import type { CursorPage } from '../../../platform/contract/pagination.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { countPropertyLengths, readProperties } from '../../codes/scanned-things/index.ts'
import type { Submission } from './contract.ts'

/** A thing may have 100 long properties, and each of 100 submissions another thing. */
const LENGTH_MAX = 1024 * 1024

/** Adds the properties that the scanned things have now. A page becomes shorter if they do not fit. */
export async function withProperties(
  db: Db,
  orgId: OrgId,
  page: CursorPage<Submission>,
): Promise<CursorPage<Submission>> {
  const ids = [...new Set(page.data.flatMap(({ scanned }) => scanned?.id ?? []))]
  if (ids.length === 0) return page
  const { data, next } = cutTo(page, await countPropertyLengths(db, orgId, ids))
  const properties = await readProperties(db, orgId, [...new Set(data.flatMap(({ scanned }) => scanned?.id ?? []))])
  const added = data.map(({ scanned, ...submission }) => ({
    ...submission,
    scanned: scanned && { ...scanned, properties: properties.get(scanned.id) ?? {} },
  }))
  return { data: added, next }
}

/** A page always has one submission, so that the next page starts after it. */
function cutTo({ data, next }: CursorPage<Submission>, lengths: ReadonlyMap<string, number>): CursorPage<Submission> {
  let sum = 0
  const tooMany = data.findIndex(({ scanned }) => {
    sum += lengths.get(scanned?.id ?? '') ?? 0
    return sum > LENGTH_MAX
  })
  const count = tooMany === -1 ? data.length : Math.max(1, tooMany)
  const last = data[count - 1]
  if (count === data.length || last === undefined) return { data, next }
  return { data: data.slice(0, count), next: { created_at: last.created_at, id: last.id } }
}
