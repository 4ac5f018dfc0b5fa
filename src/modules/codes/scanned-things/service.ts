import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectProperties } from '../key-values/index.ts'
import {
  selectCodeFacts,
  selectCodeName,
  selectObjectFacts,
  selectObjectName,
  selectProductFacts,
  selectProductName,
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
