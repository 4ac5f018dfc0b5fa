import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listWithoutCredits } from '../modules/account/credits/index.ts'
import { findOwnerCommand } from '../modules/account/first-organisation/index.ts'
import { countStoredFiles } from '../modules/assets/assets/index.ts'
import { countDomains } from '../modules/domains/custom-domains/index.ts'
import { describeEngine, findDamage, findWrongTotals } from '../platform/db/checks.ts'
import type { Database } from '../platform/db/index.ts'
import { findNewerSchema, pendingMigrations } from '../platform/db/migrate.ts'
import { explainNewerSchema } from '../platform/db/schema-steps.ts'
import { explainMismatch, findSecretKeyState, type SecretKeyState } from '../platform/keyring/index.ts'
import { LlmClient, LlmError, type LlmSettings } from '../platform/llm/index.ts'
import { NODE_VERSION } from '../platform/telemetry/build.ts'
import { isLoopbackUrl } from '../platform/text/loopback.ts'
import { openAssetStore } from './asset-settings.ts'
import type { Config, ReadSettings } from './config.ts'
import { listOpenToOthers } from './data-dir.ts'
import { checkAddresses } from './doctor/addresses.ts'
import { answered, type DoctorCheck, fail, pass, warn } from './doctor/check.ts'
import { checkClock } from './doctor/clock.ts'
import { checkDataFolder } from './doctor/data-folder.ts'
import { checkMail } from './doctor/mail.ts'
import { checkNameServers } from './doctor/name-servers.ts'
import { domainTargetsOf } from './domain-verification.ts'
import { openExplained, requireDatabase } from './open-database.ts'
import { plural } from './output.ts'

/**
 * Runs all checks, in order of dependency, and skips those that need one that failed. Writes nothing, so it may run
 * while the service does.
 */
export async function* examine(readSettings: ReadSettings): AsyncGenerator<DoctorCheck, void> {
  yield checkNode()
  let config: Config
  try {
    config = readSettings()
  } catch (error) {
    yield fail('Settings', (error as Error).message, 'Fix this first: the remaining checks need valid settings.')
    return
  }
  yield pass('Settings', 'url' in config.database ? 'PostgreSQL at DATABASE_URL' : `data in ${config.dataDir}`)
  yield checkPublicUrl(config.publicUrl)

  let database: Database
  try {
    requireDatabase(config)
    // With PostgreSQL, the first start creates the folder.
    if (existsSync(config.dataDir)) yield await checkDataFolder(config.dataDir)
    // Windows has no such permissions.
    if (process.platform !== 'win32' && existsSync(config.dataDir)) yield checkPermissions(config.dataDir)
    database = await openExplained(config)
  } catch (error) {
    yield fail('Database', (error as Error).message, 'Fix this first: the remaining checks need the database.')
    return
  }
  try {
    yield await checkEngine(database)
    const migrations = await checkMigrations(database)
    yield migrations
    if (!migrations.ok) return
    yield await checkSecretKey(database, config)
    yield await checkOwner(database)
    yield* await checkAddresses(database, config)
    yield await checkAssets(database, config)
    yield await checkDomains(database, config)
    yield await checkNameServers(config)
    if (config.mail !== undefined) yield await checkMail(config.mail)
    yield await checkCredits(database, config)
    if (config.llm !== undefined) yield await checkModels(config.llm)
    yield await checkClock(database, config)
    yield await database.snapshot(async (db) => {
      const damage = await findDamage(db, database.engine)
      return damage.length === 0
        ? pass('Integrity', 'no damage found')
        : fail('Integrity', damage.join('; '), 'Stop the service and restore the newest backup into an empty database.')
    })
    yield await checkTotals(database)
  } finally {
    await database.close()
  }
}

function checkNode(): DoctorCheck {
  const { node } = process.versions
  const detail = `${node} (Waymark is tested with ${NODE_VERSION})`
  return Number.parseInt(node, 10) >= Number.parseInt(NODE_VERSION, 10)
    ? pass('Node', detail)
    : fail('Node', detail, 'Run Waymark through npm, which uses the Node version that is installed with it.')
}

/** Only a warning: to try things out, there is no need for another address. */
const checkPublicUrl = (publicUrl: string): DoctorCheck =>
  isLoopbackUrl(publicUrl)
    ? warn(
        'PUBLIC_URL',
        `codes lead to ${publicUrl}, which works only on this machine`,
        'Set it before you print a code.',
      )
    : pass('PUBLIC_URL', `codes lead to ${publicUrl}`)

/** Does not look into subfolders: if only the owner may enter them, the permissions inside do not matter. */
function checkPermissions(dataDir: string): DoctorCheck {
  const open = listOpenToOthers(dataDir)
  return open.length === 0
    ? pass('Permissions', 'only the owner has access to the data folder')
    : fail('Permissions', `other users have access to ${open.join(', ')}`, `Run \`chmod -R go= ${dataDir}\`.`)
}

async function checkEngine(database: Database): Promise<DoctorCheck> {
  const { version, durability } = await describeEngine(database)
  const detail = `${version}, ${durability.map(({ setting, value }) => `${setting} ${value}`).join(', ')}`
  const unsafe = durability.filter(({ safe }) => !safe).map(({ setting }) => setting)
  return unsafe.length === 0
    ? pass('Database', detail)
    : fail('Database', detail, `Turn on ${unsafe.join(' and ')}: otherwise a power cut can undo acknowledged writes.`)
}

async function checkMigrations(database: Database): Promise<DoctorCheck> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0) {
    return fail('Migrations', `not applied yet: ${pending.join(', ')}`, 'Run npm start or `npx waymark migrate`.')
  }
  const newer = await findNewerSchema(database.read)
  if (newer === undefined) return pass('Migrations', 'up to date')
  const detail = `from a newer version of Waymark: ${newer.names.join(', ')}`
  return newer.isUsable
    ? warn('Migrations', detail, `This version can go on using the database. Upgrade it to ${newer.build}, too.`)
    : fail('Migrations', detail, explainNewerSchema(newer))
}

/** Only reads, as all of them: a check must not begin to use SECRET_KEY. */
async function checkSecretKey(database: Database, config: Config): Promise<DoctorCheck> {
  const name = 'SECRET_KEY'
  const isSet = config.secretKey !== undefined
  const checks: Record<SecretKeyState, () => DoctorCheck> = {
    empty: () => pass(name, `${isSet ? 'set' : 'not set'}; the database has no secrets yet`),
    plain: () =>
      isSet
        ? warn(
            name,
            'set, but the stored secrets are not encrypted with it yet',
            'The next start does that once it serves. To do it now, run `npx waymark secret set`.',
          )
        : pass(name, 'not set, and the stored secrets are not encrypted'),
    matches: () =>
      config.oldSecretKey === undefined
        ? pass(name, 'matches the stored secrets')
        : warn(name, 'matches the stored secrets', 'SECRET_KEY_OLD is not needed any more: remove it.'),
    former: () =>
      warn(
        name,
        'the stored secrets are still encrypted with SECRET_KEY_OLD',
        'Once all instances have both settings, run `npx waymark secret rotate`.',
      ),
    missing: () => fail(name, 'not set, but the stored secrets are encrypted', explainMismatch(config).message),
    wrong: () => fail(name, 'does not match the stored secrets', explainMismatch(config).message),
  }
  return checks[await findSecretKeyState(database.read, config)]()
}

/** Only a warning: programs need no person. */
async function checkOwner(database: Database): Promise<DoctorCheck> {
  const command = await findOwnerCommand(database.read)
  return command === undefined
    ? pass('Owner', 'nobody is missing')
    : warn('Owner', 'no organisation has an owner who can sign in', `Create one with: ${command}`)
}

/** Writes to the store: that is the only way to find out about permissions. What it writes, it removes. */
async function checkAssets(database: Database, config: Config): Promise<DoctorCheck> {
  const place = config.s3 === undefined ? join(config.dataDir, 'assets') : `the bucket ${config.s3.bucket}`
  try {
    const { count, bytes } = await countStoredFiles(database.readLong)
    // A new installation has no folder, and a check must not create one.
    if (config.s3 !== undefined || existsSync(place)) await answered((await openAssetStore(config)).check())
    return pass('Stored files', `${place} has ${plural(count, 'file')}, ${(bytes / 1e9).toFixed(1)} GB`)
  } catch (error) {
    const remedy =
      config.s3 === undefined
        ? `Make ${place} writable for the user that runs Waymark.`
        : 'Check the S3_ settings, and that the key may read, write and delete objects of the bucket.'
    return fail('Stored files', `${place} cannot be used: ${(error as Error).message}`, remedy)
  }
}

/** Without a name that is known on the internet, nobody can point a domain to this installation. */
async function checkDomains(database: Database, config: Config): Promise<DoctorCheck> {
  const { connected, verified } = await countDomains(database.readLong)
  const { a, aaaa, cname } = domainTargetsOf(config)
  const addresses = [...a, ...aaaa]
  const hasName = config.domainTargets.cname !== undefined || !config.acceptsAnyHost
  const count = `${plural(connected, 'domain')} connected, ${verified} verified`
  if (connected > 0 && !hasName) {
    return fail(
      'Custom domains',
      `${count}; nobody can point them to ${cname}`,
      'Set PUBLIC_URL or DOMAIN_CNAME to the name of this server, and DOMAIN_A and DOMAIN_AAAA to its addresses.',
    )
  }
  const apex = addresses.length > 0 ? addresses.join(', ') : `${cname}, because DOMAIN_A and DOMAIN_AAAA are not set`
  const targets = `subdomains point to ${cname}, apex domains to ${apex}`
  return pass('Custom domains', hasName ? `${count}; ${targets}` : `${count}; DOMAIN_CNAME and PUBLIC_URL are not set`)
}

const NAMED_MAX = 5

/** Only a warning: an organisation may have used up what it was given. */
async function checkCredits(database: Database, { credits: { isMetered } }: Config): Promise<DoctorCheck> {
  const mode = isMetered ? 'answers of chatbots are charged' : 'answers of chatbots cost nothing'
  const slugs = await listWithoutCredits(database.readLong, isMetered, NAMED_MAX + 1)
  if (slugs.length === 0) return pass('Credits', mode)
  const named = slugs.length > NAMED_MAX ? [...slugs.slice(0, NAMED_MAX), '…'] : slugs
  return warn(
    'Credits',
    `${mode}; chatbots cannot answer, because no credits are left: ${named.join(', ')}`,
    'Run `npx waymark org set SLUG --credits N`, or `--credits unlimited`.',
  )
}

const MODEL_REMEDIES: Readonly<Record<string, string>> = {
  connect: 'Check LLM_BASE_URL, and that this machine can reach it.',
  refused: 'Check LLM_BASE_URL, LLM_API_KEY and the names in LLM_MODELS and LLM_EMBEDDINGS_MODEL.',
  rate_limited: 'Wait, or raise the limits of your account at the provider.',
}

/** Asks every model for a word, which costs next to nothing: there is no other request that all servers know. */
async function checkModels(llm: LlmSettings): Promise<DoctorCheck> {
  const client = new LlmClient(llm)
  const { signal } = new AbortController()
  const names = llm.models.map(({ name }) => name)
  let asked = ''
  try {
    for (asked of names) {
      const messages = [{ role: 'user' as const, content: 'Answer with the word: yes' }]
      for await (const _ of client.chat(asked, messages, signal)) break
    }
    if (llm.embeddingsModel !== undefined) {
      asked = llm.embeddingsModel
      await client.embed(['yes'], signal)
      names.push(asked)
    }
    return pass('Language model', `${llm.baseUrl} answers: ${names.join(', ')}`)
  } catch (error) {
    const kind = error instanceof LlmError ? error.kind : ''
    const remedy =
      MODEL_REMEDIES[kind] ?? 'Check that the server is compatible with the interface of OpenAI, and its log.'
    return fail('Language model', `${llm.baseUrl}, ${asked}: ${(error as Error).message}`, remedy)
  } finally {
    client.close()
  }
}

async function checkTotals(database: Database): Promise<DoctorCheck> {
  const totals = await database.snapshot((db) => findWrongTotals(db, database.engine))
  const detail = totals.map(({ table, organisations }) => `${table} for ${plural(organisations, 'organisation')}`)
  return totals.length === 0
    ? pass('Totals', 'match the rows')
    : fail(
        'Totals',
        `wrong: ${detail.join(', ')}`,
        'Back up and restore into an empty database: a restore counts all rows again.',
      )
}
