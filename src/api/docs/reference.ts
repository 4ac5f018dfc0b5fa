import type { Operation } from '../../platform/contract/operation.ts'
import { groupFamilies } from '../family-groups.ts'

/** An operation as it is listed. */
export interface ListedOperation {
  method: string
  path: string
  summary: string
  description: string
  /** Its place in the viewer, without `#`. */
  fragment: string
}

interface ListedFamily {
  name: string
  title: string
  about: string
  operations: ListedOperation[]
}

export interface ReferenceGroup {
  name: string
  families: ListedFamily[]
}

export const REFERENCE_PATH = '/docs/reference'

/** The operations in the groups and the order of the reference. */
export function listOperations(operations: readonly Operation[]): ReferenceGroup[] {
  const byFamily = Map.groupBy(operations, ({ family }) => family.name)
  return groupFamilies(operations).map(({ name, families }) => ({
    name,
    families: families.map((family) => ({
      name: family.name,
      title: family.title,
      about: family.about,
      operations: (byFamily.get(family.name) ?? []).map(toListed),
    })),
  }))
}

const toListed = ({ family, declared: { method, path, summary, description = '' } }: Operation): ListedOperation => ({
  method,
  path,
  summary,
  description,
  // The viewer names its places like this.
  fragment: `tag/${family.name}/${method}${path}`,
})

export const linkTo = ({ fragment }: ListedOperation): string => `${REFERENCE_PATH}#${fragment}`

/** The addresses of all operations by `GET /me`. */
export const operationLinks = (groups: readonly ReferenceGroup[]): Map<string, string> =>
  new Map(
    groups.flatMap(({ families }) =>
      families.flatMap(({ operations }) =>
        operations.map((operation) => [`${operation.method} ${operation.path}`, linkTo(operation)] as const),
      ),
    ),
  )
