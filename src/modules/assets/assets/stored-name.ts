import { hash } from 'node:crypto'
import { type OrgId, randomBase62 } from '../../../platform/ids/index.ts'
import type { Visibility } from './queries.ts'

/** Private files begin with it, so that `/assets/` needs no look-up to know that it must not serve them. */
const PRIVATE = 'private-'

/** Names in the texts of customers. The second form is that of images from before there were assets. */
const NAME_IN_URL =
  /\/assets\/((?:[0-9a-f]{64}-[0-9A-Za-z]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[a-z0-9]{2,4})/g

/** The same for the same content of the same organisation. Another organisation cannot find out what this one has. */
export const hashOf = (orgId: OrgId, visibility: Visibility, sha256: string): string =>
  hash('sha256', `${orgId} ${visibility} ${sha256}`)

/** A name that was never used: a file that is being removed and the same content stored again do not meet. */
export const newName = (hash: string, visibility: Visibility, extension: string): string =>
  `${visibility === 'private' ? PRIVATE : ''}${hash}-${randomBase62(8)}.${extension}`

/** Whether the texts may name an asset. Costs almost nothing. */
export const mentionAssets = (texts: readonly (string | null | undefined)[]): boolean =>
  texts.some((text) => text?.includes('/assets/'))

/** The names of assets in URLs in the texts, each once. */
export const namesIn = (texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => [...(text ?? '').matchAll(NAME_IN_URL)].map(([, name]) => name as string))),
]
