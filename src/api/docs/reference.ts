import type { Operation } from '../../platform/contract/operation.ts'
import type { OperationGroup } from '../families.ts'

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
export const listOperations = (groups: readonly OperationGroup[]): ReferenceGroup[] =>
  groups.map(({ name, operations }) => ({
    name,
    families: [...Map.groupBy(operations, ({ family }) => family)].map(([family, ofFamily]) => ({
      name: family.name,
      title: family.title,
      about: family.about,
      operations: ofFamily.map(toListed),
    })),
  }))

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
