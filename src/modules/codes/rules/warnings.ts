import { toMs } from '../../../platform/clock/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { lintRules, rulesByKind, type StoredRule } from '../decisions/index.ts'
import type { DestinationRef, Place } from '../destinations/index.ts'
import { toSetupRules } from '../scan-targets/index.ts'
import type { RuleWarning, StoredRulesDocument } from './contract.ts'
import { selectOpenCentres, selectOpenChatbots, selectOpenPages } from './queries.ts'

export interface RuleSettings {
  /** Whether the installation can find out where visitors are. */
  knowsCountries: boolean
  /** The addresses that codes of the organisation begin with. */
  addressesOf(orgId: OrgId): Promise<readonly string[]>
}

/** The paths of our own host that are codes: words, objects and GS1 Digital Links. */
const CODE_PATH = /^\/(?:o\/[^/]+|g\/.+|\d{2,4}\/.+|[A-Za-z0-9_-]{3,64})\/?$/

const OPEN = {
  chatbot: selectOpenChatbots,
  page: selectOpenPages,
  knowledge_base: selectOpenCentres,
} satisfies Record<Place, unknown>

/** What is allowed, but probably a mistake. */
export async function findWarnings(
  db: Db,
  ctx: Context,
  document: StoredRulesDocument,
  { knowsCountries, addressesOf }: RuleSettings,
): Promise<RuleWarning[]> {
  const rules = toSetupRules(document, 0, new Map())
  const places = document.rules.flatMap(({ id, name, then }) =>
    ('destination' in then ? [then.destination] : then.split.map(({ destination }) => destination)).map(
      (destination) => ({ id, name, destination }),
    ),
  )
  const addresses = await addressesOf(ctx.orgId)
  const closed = await findClosed(
    db,
    ctx.orgId,
    places.map(({ destination }) => destination),
  )
  await ctx.pause()
  return [
    ...lintRules(rules, toMs(ctx.now)),
    ...(knowsCountries ? [] : aboutCountries(rules.rules)),
    ...places.flatMap(({ id, name, destination }): RuleWarning[] => {
      if (destination.type !== 'url')
        return closed.has(destination.id)
          ? [
              warning(
                'not_published',
                id,
                `*${name}* leads to a ${destination.type.replace('_', ' ')} that is not published yet.`,
              ),
            ]
          : []
      return isCode(destination.url, addresses)
        ? [warning('loop', id, `*${name}* leads to the address of another code. Visitors might go round in circles.`)]
        : []
    }),
  ]
}

/** A rule that needs a country never matches where nobody knows it. */
const aboutCountries = (rules: readonly StoredRule<unknown>[]): RuleWarning[] => {
  const byKind = rulesByKind(rules)
  return [...new Set([...(byKind.get('country') ?? []), ...(byKind.get('region') ?? [])])].map((id) =>
    warning(
      'no_countries',
      id,
      `The rule ${id} asks for a country or region, but this installation has no source for them.`,
    ),
  )
}

const warning = (code: string, rule_id: string, message: string): RuleWarning => ({ code, rule_id, message })

function isCode(url: string, addresses: readonly string[]): boolean {
  const { origin, pathname } = new URL(url)
  return addresses.some((address) => new URL(address).origin === origin) && CODE_PATH.test(pathname)
}

/** The ids of our own destinations that visitors may not see. */
async function findClosed(db: Db, orgId: OrgId, destinations: readonly DestinationRef[]): Promise<Set<string>> {
  const closed = new Set<string>()
  for (const [place, selectOpen] of Object.entries(OPEN)) {
    const ids = [...new Set(destinations.flatMap(({ type, id }) => (type === place && id !== null ? [id] : [])))]
    if (ids.length === 0) continue
    const open = new Set(await selectOpen(db, orgId, ids))
    for (const id of ids) if (!open.has(id)) closed.add(id)
  }
  return closed
}
