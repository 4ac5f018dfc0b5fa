import { isDeepStrictEqual } from 'node:util'
import { toMs } from '../../../platform/clock/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { getProfile } from '../../account/organisations/index.ts'
import { findFailedExample } from '../decisions/index.ts'
import {
  type DestinationRef,
  requireDestinationUrl,
  toDestination,
  toDestinationColumns,
} from '../destinations/index.ts'
import { toSetupRules } from '../scan-targets/index.ts'
import { findRules, type Owner, type OwnerRow, stateChanges, storeRules } from '../versions/index.ts'
import type { RuleList, Rules, RulesInput, StoredOutcome, StoredRulesDocument } from './contract.ts'
import { findWarnings, type RuleSettings } from './warnings.ts'

interface Input<Body = unknown> {
  params: { id: string }
  body: Body
}

/** The handlers of `ruleOperations`, for one kind of owner. */
export function ruleHandlers<Row extends OwnerRow>(
  settings: RuleSettings,
  ownerFor: (ctx: Context) => Owner<Row> | Promise<Owner<Row>>,
) {
  return {
    getRules: async (ctx: Context, { params }: Omit<Input, 'body'>): Promise<Rules> => {
      const owner = await ownerFor(ctx)
      const { id, rules_version } = await owner.require(ctx.read, ctx.orgId, params.id)
      return describeRules(ctx.read, ctx, id, rules_version, settings)
    },
    replaceRules: async (ctx: Context, { params, body }: Input<RulesInput>): Promise<Rules> => {
      const owner = await ownerFor(ctx)
      const found = await owner.require(ctx.read, ctx.orgId, params.id)
      // What takes milliseconds comes before the transaction. The body was just parsed, which takes some, too.
      await ctx.pause()
      const document = await checkRules(ctx.read, ctx, body)
      const isFoundSame = isDeepStrictEqual(await findCurrent(ctx.read, ctx.orgId, found), document)
      const { id, version } = await ctx.writeInPieces(async (tx) => {
        const row = await owner.lock(tx, ctx.orgId, params.id)
        const isSame =
          row.rules_version === found.rules_version
            ? isFoundSame
            : isDeepStrictEqual(await findCurrent(tx, ctx.orgId, row), document)
        return { id: row.id, version: isSame ? row.rules_version : await replaceRules(tx, ctx, owner, row, document) }
      })
      // Looking for mistakes takes some milliseconds, for which nobody should wait with the writer.
      return describeRules(ctx.read, ctx, id, version, settings)
    },
  }
}

async function replaceRules<Row extends OwnerRow>(
  tx: Tx,
  ctx: Context,
  owner: Owner<Row>,
  row: Row,
  document: StoredRulesDocument | null,
): Promise<number | null> {
  const rules_version = document === null ? null : await storeRules(tx, ctx, row, document)
  const after = { ...row, rules_version }
  await owner.change(tx, ctx, { before: row, after }, stateChanges(owner, row, after))
  return rules_version
}

const findCurrent = async (db: Db, orgId: OrgId, { id, rules_version }: OwnerRow) =>
  rules_version === null ? null : ((await findRules(db, orgId, id, rules_version))?.document ?? null)

/**
 * Returns the document as it is stored, or null if it has no rules. Throws 422 if a destination does not belong to the
 * organisation, or if an example fails.
 */
export async function checkRules(db: Db, ctx: Context, input: RulesInput): Promise<StoredRulesDocument | null> {
  if (input.rules.length === 0) return null
  const time_zone = input.time_zone ?? (await getProfile(db, ctx.orgId)).time_zone
  const document: StoredRulesDocument = {
    time_zone,
    rules: input.rules.map(({ then, ...rule }) => ({ ...rule, then: toStoredOutcome(then) })),
    examples: input.examples,
  }
  await requireRuleDestinations(db, ctx.orgId, document)
  tryExamples(document, toMs(ctx.now))
  // A database returns no fields that are undefined, and both are compared.
  return JSON.parse(JSON.stringify(document))
}

/** Destinations are never null here: the contract refuses them. */
const toStoredOutcome = (then: RulesInput['rules'][number]['then']): StoredOutcome =>
  'destination' in then
    ? { destination: then.destination as DestinationRef }
    : { split: then.split.map((each) => ({ ...each, destination: each.destination as DestinationRef })) }

/** Examples say where a visitor is led, which does not depend on where that is. */
const NOWHERE: ReadonlyMap<string, string> = new Map()
/** Visitors of examples are texts. */
const NO_SALT = ''

function tryExamples(document: StoredRulesDocument, atMs: number): void {
  const rules = toSetupRules(document, 0, NOWHERE)
  const failed = findFailedExample(rules, document.examples, { atMs, salt: NO_SALT })
  if (failed === undefined) return
  const { index, example, got, explanation } = failed
  const named = (id: string | null) => (id === null ? 'no rule' : `the rule ${id}`)
  throw new ApiError(
    'unprocessable',
    `examples[${index}] (${example.name}) expects that ${named(example.expect)} decides, but ${named(got)} does. ${explanation.sentence}`,
    { details: { field: `examples[${index}]`, value: example.expect, actual: got, steps: explanation.steps } },
  )
}

/** Throws 422 if a destination of the rules does not belong to the organisation any more. */
export async function requireRuleDestinations(
  db: Db,
  orgId: OrgId,
  { rules }: Pick<StoredRulesDocument, 'rules'>,
): Promise<void> {
  for (const [at, { then }] of rules.entries()) {
    const field = `rules[${at}].then`
    if ('destination' in then) await requireDestinationUrl(db, orgId, then.destination, `${field}.destination`)
    else
      for (const [n, { destination }] of then.split.entries())
        await requireDestinationUrl(db, orgId, destination, `${field}.split[${n}].destination`)
  }
}

const toShown = (ref: DestinationRef) => toDestination(toDestinationColumns(ref))

/** The rules as responses show them. */
export const toRuleList = ({ rules }: Pick<StoredRulesDocument, 'rules'>): RuleList =>
  rules.map(({ id, name, active, when, then }) => ({
    id,
    name,
    active,
    when,
    then:
      'destination' in then
        ? { destination: toShown(then.destination) }
        : {
            split: then.split.map(({ key, weight, destination }) => ({
              key,
              weight,
              destination: toShown(destination),
            })),
          },
  }))

async function describeRules(
  db: Db,
  ctx: Context,
  ownerId: string,
  version: number | null,
  settings: RuleSettings,
): Promise<Rules> {
  const found = version === null ? undefined : await findRules(db, ctx.orgId, ownerId, version)
  if (found === undefined) {
    const { time_zone } = await getProfile(db, ctx.orgId)
    return {
      object: 'rules',
      version: null,
      time_zone,
      rules: [],
      examples: [],
      warnings: [],
      updated_at: null,
    }
  }
  const { document, createdAt } = found
  return {
    object: 'rules',
    version,
    time_zone: document.time_zone,
    rules: toRuleList(document),
    examples: document.examples,
    warnings: await findWarnings(db, ctx, document, settings),
    updated_at: createdAt,
  }
}
