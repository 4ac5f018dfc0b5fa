import type { ApiDocument, DescribedOperation } from './document.ts'

/** An operation as it is listed. */
export interface ListedOperation {
  /** Its name in the OpenAPI document, and its place on the page of its family. */
  id: string
  family: string
  method: string
  path: string
  summary: string
  description: string
}

export interface ListedFamily {
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
export const VIEWER_PAGE_PATH = `${REFERENCE_PATH}/try`

/** The operations in the groups and the order of the document. */
export function listOperations({ tags, 'x-tagGroups': groups, paths }: ApiDocument): ReferenceGroup[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => toListed(method.toUpperCase(), path, described)),
  )
  const byFamily = Map.groupBy(all, ({ family }) => family)
  const families = new Map(
    tags.map(({ name, 'x-displayName': title, description }) => [
      name,
      { name, title, about: description, operations: byFamily.get(name) ?? [] },
    ]),
  )
  return groups.map(({ name, tags: names }) => ({
    name,
    families: names.map((each) => families.get(each)).filter((family) => family !== undefined),
  }))
}

const toListed = (method: string, path: string, described: DescribedOperation): ListedOperation => ({
  id: described.operationId,
  family: described.tags[0] ?? '',
  method,
  path,
  summary: described.summary,
  description: described.description ?? '',
})

export const familyPath = (name: string): string => `${REFERENCE_PATH}/${name}`

export const linkTo = ({ family, id }: ListedOperation): string => `${familyPath(family)}#${id}`

/** The place of an operation in the viewer, which names its places like this. Links to it may be in bookmarks. */
export const viewerFragment = ({ family, method, path }: ListedOperation): string => `tag/${family}/${method}${path}`

/** The addresses of all operations by `GET /me`. */
export const operationLinks = (groups: readonly ReferenceGroup[]): Map<string, string> =>
  new Map(
    groups.flatMap(({ families }) =>
      families.flatMap(({ operations }) =>
        operations.map((operation) => [`${operation.method} ${operation.path}`, linkTo(operation)] as const),
      ),
    ),
  )
