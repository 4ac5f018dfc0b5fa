import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { ShownThing } from '../../../platform/look/index.ts'
import { selectProperties } from '../key-values/index.ts'
import {
  selectCodeFacts,
  selectCodeName,
  selectObjectFacts,
  selectObjectName,
  selectProductFacts,
  selectProductName,
  selectShownObject,
  selectShownProduct,
} from './queries.ts'

/** What a visitor scanned. */
export interface ScannedThing {
  kind: 'qr_code' | 'object' | 'product'
  id: string
}

const FACTS = { object: selectObjectFacts, product: selectProductFacts, qr_code: selectCodeFacts }

/**
 * What the organisation knows about a scanned thing, by the names that pages use: `object.name`, `product.gtin`,
 * `object.properties.serial`. Empty if it was deleted.
 */
export async function findFacts(db: Db, orgId: OrgId, { kind, id }: ScannedThing): Promise<Map<string, string>> {
  const [found] = await FACTS[kind](db, orgId, id)
  const facts = new Map<string, string>()
  if (found === undefined) return facts
  for (const [name, value] of Object.entries(found)) if (value !== null) facts.set(`${kind}.${name}`, value)
  for (const [key, value] of await selectProperties(db, orgId, id)) facts.set(`${kind}.properties.${key}`, value)
  return facts
}

const NAMES = { object: selectObjectName, product: selectProductName, qr_code: selectCodeName }

/** What a thing is called, and the organisation's own ID of it. */
export interface ThingName {
  name: string | null
  /** The GTIN of a product. */
  external_id: string | null
}

const UNNAMED: ThingName = { name: null, external_id: null }

/** Nulls if the thing was deleted. */
export const findName = async (db: Db, orgId: OrgId, { kind, id }: ScannedThing): Promise<ThingName> =>
  (await NAMES[kind](db, orgId, id))[0] ?? UNNAMED

/** A picture as small as a thumb must not take a phone longer than the page. */
const IMAGE_BYTES_MAX = 1024 * 1024

/**
 * What visitors may know about a scanned thing without being told by a text: the name and the picture of a product, the name
 * of an object. Null for a code, whose name is a note of its owner, and for what has no name or was deleted.
 */
export async function findShownThing(db: Db, orgId: OrgId, { kind, id }: ScannedThing): Promise<ShownThing | null> {
  if (kind === 'qr_code') return null
  if (kind === 'object') {
    const [object] = await selectShownObject(db, orgId, id)
    return object?.name == null ? null : { name: object.name, imageUrl: null }
  }
  const [product] = await selectShownProduct(db, orgId, id, IMAGE_BYTES_MAX)
  if (product === undefined) return null
  // Every host serves it, so a phone needs no second connection.
  return { name: product.name, imageUrl: product.asset === null ? null : `/assets/${product.asset}` }
}
