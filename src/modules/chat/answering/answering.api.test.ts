import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { createKnowledgeBase, Library } from '../../../testing/data/article-library.ts'
import { createCategory } from '../../../testing/data/articles.ts'
import { explain } from '../../../testing/engines/plans.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { Terms } from '../../knowledge/article-search/index.ts'
import { selectPassageLists } from '../../knowledge/passages/index.ts'
import type { AnsweringBot } from './index.ts'

const harness = useHarness()

const STEPS = '1. Empty the drip tray.\n2. Pour the descaler into the tank.\n3. Hold the steam button.'
const DESCALING = `The orange lamp asks for it.\n\n## Steps\n\n${STEPS}\n\n## Frequency\n\nOnce a month with hard water.`
const CODES = '| Code | Meaning |\n|---|---|\n| E04 | Pump draws air |\n| E07 | Unit is jammed |'

const createLibrary = () => Library.create(harness)

const passagesOf = (articleId: string, { orgId }: Tenant) =>
  harness.service.database.read
    .selectFrom('article_passages')
    .select(['language', 'position', 'markdown', 'version_number'])
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .orderBy('language')
    .orderBy('position')
    .execute()

test('answers with whole steps, and cites the article and its version', async () => {
  const library = await createLibrary()
  const id = await library.publish('Descaling the machine', DESCALING)
  const answer = await library.ask('How do I descale the machine?')
  const { public_slug } = (await library.tenant.get(`/v1/knowledge-bases/${library.base}`)).body
  const { slug } = (await library.tenant.get(`/v1/articles/${id}`)).body
  const url = `https://acme.example/kb/${public_slug}/en/articles/${slug}`
  expect(answer).toMatchObject({ isAnswered: true, model: 'embedded', credits: 1, language: 'en', nearest: [] })
  // The passage is in the citation, and is not quoted again.
  expect(answer.text).toBe(STEPS)
  expect(answer.citations).toEqual([
    {
      article_id: id,
      version_number: 1,
      title: 'Descaling the machine',
      url,
      snippet: expect.stringMatching(/^Empty the drip tray\. .{20,280}$/),
    },
  ])
  await library.tenant.patch(`/v1/articles/${id}`, { content: `${DESCALING}\n\nNever with vinegar.` })
  await library.indexed(id)
  const [citation] = (await library.ask('May I descale it with vinegar?')).citations
  expect(citation).toMatchObject({ article_id: id, version_number: 2, snippet: expect.stringContaining('vinegar') })
})

test('understands everyday synonyms and those of its knowledge bases, as long as these are turned on', async () => {
  const library = await createLibrary()
  const { tenant, base } = library
  const biometrics = await library.publish('Biometrics', 'Biometrics open the vault without typing.')
  const autofill = await library.publish('Autofill', 'Autofill enters what the vault has stored.')
  const device = await library.publish('Lost secondary device', 'Block the secondary device in the portal.')
  const bot = { knowledgeBaseIds: [base] }
  for (const scope of [bot, {}]) {
    expect((await library.cited('How does the fingerprint work?', scope))[0]).toBe(biometrics)
    expect((await library.cited('How does auto fill work?', scope))[0]).toBe(autofill)
  }
  expect(await library.cited('I lost my walkie talkie', bot)).not.toContain(device)

  await tenant.put(`/v1/knowledge-bases/${base}/synonyms`, { synonyms: [['walkie talkie', 'secondary device']] })
  expect((await library.cited('I lost my walkie talkie', bot))[0]).toBe(device)
  expect((await library.cited('I lost my walkie talkie'))[0]).toBe(device)

  await tenant.patch(`/v1/knowledge-bases/${base}`, { everyday_synonyms: false })
  for (const scope of [bot, {}]) expect(await library.cited('How does the fingerprint work?', scope)).toEqual([])
  expect((await library.cited('I lost my walkie talkie', bot))[0]).toBe(device)
  const other = await createKnowledgeBase(tenant)
  expect((await library.cited('How does the fingerprint work?', { knowledgeBaseIds: [base, other] }))[0]).toBe(
    biometrics,
  )
})

test('answers with a whole table, and with the right passage of an article', async () => {
  const library = await createLibrary()
  await library.publish('Error codes', `The display shows a code.\n\n${CODES}`)
  await library.publish('Descaling the machine', DESCALING)
  expect((await library.ask('What does E07 mean?')).text.startsWith(CODES)).toBe(true)
  expect((await library.ask('How often must I descale with hard water?')).text).toMatch(
    /^Once a month with hard water\./,
  )
})

test('does not know what no article says, names the nearest articles, and offers a person only if there is one', async () => {
  const library = await createLibrary()
  const id = await library.publish('Descaling the machine', DESCALING)
  const alone = await library.ask('Can I be descaling the machine with hot marshmallows in winter?')
  expect(alone).toMatchObject({ isAnswered: false, citations: [], credits: 1, nearest: [{ article_id: id }] })
  expect(alone.text).toMatch(/^I don't know/)
  expect(alone.text).toContain('- [Descaling the machine](')
  expect(alone.text).not.toContain('person')
  const helped = await library.ask('Can the machine toast marshmallows in winter?', { humanSupport: true })
  expect(helped.nearest).toEqual([])
  expect(helped.text).toContain('You can also talk to a person.')
  const nothing = await library.ask('zzz', {}, { language: 'ja' })
  expect(nothing).toMatchObject({ isAnswered: false, nearest: [], language: 'ja' })
  for (const text of ['', ' ', '🏷️', '?!', '\u202e', 'x'.repeat(5000), "' OR 1=1 --", '" AND ( NEAR']) {
    expect(await library.ask(text)).toMatchObject({ isAnswered: false })
  }
  expect(await (await createLibrary()).ask('How do I descale the machine?')).toMatchObject({ isAnswered: false })
})

test('uses public and chatbot-only articles, and no internal, draft or archived ones', async () => {
  const library = await createLibrary()
  const secret = await library.publish('Secret umbrella', 'The umbrella opens with 4711.', { visibility: 'internal' })
  expect(await passagesOf(secret, library.tenant)).toEqual([])
  expect((await library.ask('How does the umbrella open?')).text).not.toContain('4711')
  const forBots = await library.publish('Umbrella', 'The umbrella opens to the left.', { visibility: 'chatbot_only' })
  const answer = await library.ask('How does the umbrella open?')
  expect(answer.citations).toMatchObject([{ article_id: forBots, title: 'Umbrella', url: '' }])
  await library.tenant.patch(`/v1/articles/${forBots}`, { visibility: 'internal' })
  expect(await library.cited('How does the umbrella open?')).toEqual([])
})

test('an unpublished or deleted article is not used from that moment on', async () => {
  const library = await createLibrary()
  const ids: string[] = []
  for (const title of ['Lantern', 'Compass', 'Kettle']) {
    ids.push(await library.publish(title, `The ${title.toLowerCase()} is washed by hand.`))
  }
  const [lantern, compass, kettle] = ids as [string, string, string]
  expect(await library.cited('How is the lantern washed?')).toEqual([lantern])
  await library.tenant.patch(`/v1/articles/${lantern}`, { status: 'draft' })
  expect(await passagesOf(lantern, library.tenant)).toEqual([])
  expect(await library.cited('How is the lantern washed?')).not.toContain(lantern)
  await library.tenant.delete(`/v1/articles/${compass}`)
  expect(await passagesOf(compass, library.tenant)).toEqual([])
  await library.tenant.patch(`/v1/articles/${kettle}`, { status: 'archived' })
  expect(await passagesOf(kettle, library.tenant)).toEqual([])
  const { orgId } = library.tenant
  const terms = new Terms(orgId)
  const expressions = ['lantern', 'compass', 'kettl'].map((word) => [[terms.anyForm('en', word)]])
  expect(await selectPassageLists(harness.service.database.read, orgId, expressions, 10)).toEqual([[], [], []])
})

test("never uses another organisation's articles, even if the bot names them", async () => {
  const [library, other] = [await createLibrary(), await createLibrary()]
  const foreign = await other.publish('Gyroscope', 'The gyroscope spins at 9000 turns.')
  expect(await other.cited('How fast does the gyroscope spin?')).toEqual([foreign])
  for (const bot of [{}, { articleIds: [foreign] }, { knowledgeBaseIds: [other.base] }]) {
    expect(await library.ask('How fast does the gyroscope spin?', bot)).toMatchObject({
      isAnswered: false,
      nearest: [],
    })
  }
})

test('a bot with articles, categories and knowledge bases uses only those, with all subcategories', async () => {
  const library = await createLibrary()
  const { tenant, base } = library
  const { id: top } = await createCategory(tenant, base)
  const { id: middle } = await createCategory(tenant, base, { parent_id: top })
  const { id: inner } = await createCategory(tenant, base, { parent_id: middle })
  const second = await createKnowledgeBase(tenant, false)
  const about = (place: string) => [`Lighthouse ${place}`, `The lighthouse ${place} shines every evening.`] as const
  const alone = await library.publish(...about('alone'))
  const within = await library.publish(...about('within'), { category_id: inner })
  const elsewhere = await library.publish(...about('elsewhere'), { knowledge_base_id: second })
  const usedBy = async (bot: Partial<AnsweringBot>) => {
    const found = new Set<string>()
    for (const place of ['alone', 'within', 'elsewhere']) {
      const { citations, nearest } = await library.ask(`When does the lighthouse ${place} shine?`, bot)
      for (const { article_id } of [...citations, ...nearest]) found.add(article_id)
    }
    return found
  }
  expect(await usedBy({})).toEqual(new Set([alone, within, elsewhere]))
  expect(await usedBy({ articleIds: [alone] })).toEqual(new Set([alone]))
  expect(await usedBy({ categoryIds: [top] })).toEqual(new Set([within]))
  expect(await usedBy({ knowledgeBaseIds: [second] })).toEqual(new Set([elsewhere]))
  expect(await usedBy({ articleIds: [alone], categoryIds: [top] })).toEqual(new Set([alone, within]))
  expect(await usedBy({ categoryIds: [newId()] })).toEqual(new Set())
  const [unpublished] = (await library.ask('When does the lighthouse elsewhere shine?')).citations
  expect(unpublished).toMatchObject({ article_id: elsewhere, url: '' })
  // Moving an article into a category changes what a bot may use, without indexing it again.
  await tenant.patch(`/v1/articles/${alone}`, { category_id: inner })
  expect(await usedBy({ categoryIds: [top] })).toEqual(new Set([alone, within]))
})

test("answers in the visitor's language, from a translation if there is one", async () => {
  const library = await createLibrary()
  const id = await library.publish('Charging the battery', 'Use our charger.\n\n## Time\n\nCharging takes 4 hours.')
  const german = {
    language: 'de',
    title: 'Akku laden',
    content: 'Nur unser Ladegerät.\n\n## Dauer\n\nDas Laden dauert 4 Stunden.',
  }
  await library.tenant.post(`/v1/articles/${id}/translations`, german)
  await library.indexed(id)
  await eventually(async () => (await passagesOf(id, library.tenant)).length === 4)
  const asked = await library.ask('Wie lange dauert das Laden?', {}, { language: 'de' })
  expect(asked).toMatchObject({ isAnswered: true, language: 'de', citations: [{ title: 'Akku laden' }] })
  expect(asked.text).toBe('Das Laden dauert 4 Stunden.')
  expect(asked.citations[0]?.url).toContain('/de/articles/')
  // Found by English words, answered in German.
  const english = await library.ask('How long does charging take? hours', {}, { language: 'de' })
  expect(english).toMatchObject({ isAnswered: true, language: 'de', citations: [{ title: 'Akku laden' }] })
  expect(english.text).toMatch(/^Das Laden dauert 4 Stunden\./)
  const detected = await library.ask('Wie lange dauert das Laden?', {}, { language: undefined })
  expect(detected).toMatchObject({ language: 'de', citations: [{ title: 'Akku laden' }] })
})

test('answers from another language if only that one has it', async () => {
  const library = await createLibrary()
  const id = await library.publish('Error codes', CODES)
  const answer = await library.ask('Was bedeutet E07?', {}, { language: 'de' })
  expect(answer).toMatchObject({
    isAnswered: true,
    language: 'de',
    citations: [{ article_id: id, title: 'Error codes' }],
  })
})

test('understands misspelt words, follow-ups, and what was scanned', async () => {
  const library = await createLibrary()
  const small = await library.publish('Descaling the small Aroma Mini', 'Pour one sachet of descaler into the tank.')
  const large = await library.publish('Descaling the large Aroma Grande', 'Pour two sachets of descaler into the tank.')
  await eventually(async () => (await library.cited('descaleing the Aroma Minni'))[0] === small)
  const history = [
    { role: 'user' as const, text: 'How do I descale the small Aroma Mini?' },
    { role: 'assistant' as const, text: 'Pour one sachet of descaler into the tank.' },
  ]
  const followUp = await library.ask('And the big one?', {}, { history })
  expect(followUp.citations[0]).toMatchObject({ article_id: large })
  for (const [name, id] of [
    ['Aroma Grande', large],
    ['Aroma Mini', small],
  ] as const) {
    const scanned = await library.ask('How do I descale it?', {}, { facts: new Map([['product.name', name]]) })
    expect(scanned.citations[0]).toMatchObject({ article_id: id })
  }
})

test('a rebuilt index has all passages again, and emits no event', async () => {
  const library = await createLibrary()
  const id = await library.publish('Descaling the machine', DESCALING)
  const before = await passagesOf(id, library.tenant)
  expect(before.map(({ position }) => position)).toEqual([0, 1, 2])
  const events = (await library.tenant.get('/v1/events')).body.data.length
  const { database } = harness.service
  // What the migration does with the articles of an earlier version.
  await database.write(async (tx) => {
    await sql`delete from article_passages where org_id = ${library.tenant.orgId}`.execute(tx)
    if (harness.engine === 'sqlite') await sql`delete from article_passage_index`.execute(tx)
    await sql`update article_search_texts set digest = '' where org_id = ${library.tenant.orgId}`.execute(tx)
    await sql`update articles set indexing_due_at = '1970-01-01T00:00:00.000+00:00'
      where org_id = ${library.tenant.orgId}`.execute(tx)
  })
  // Any change wakes the worker.
  await library.publish('Another', 'Text')
  await eventually(async () => (await passagesOf(id, library.tenant)).length === 3)
  expect(await passagesOf(id, library.tenant)).toEqual(before)
  expect((await library.tenant.get(`/v1/articles/${id}`)).body.indexing_status).toBe('indexed')
  const added = (await library.tenant.get('/v1/events')).body.data.slice(0, -events)
  expect(added.map(({ data }: { data: { title: string } }) => data.title)).not.toContain('Descaling the machine')
})

test('every statement of an answer uses an index', async () => {
  const library = await createLibrary()
  const { id: top } = await createCategory(library.tenant, library.base)
  await library.publish('Descaling the machine', DESCALING, { category_id: top })
  await library.publish('Maschine entkalken', 'Einmal im Monat.', { language: 'de' })
  const statements = await harness.statementsOf(async () => {
    await library.ask('Wie entkalke ich die Maschinne mit Gas?', {}, { language: 'de' })
    await library.ask('How do I descale the machine?', { categoryIds: [top], articleIds: [newId()] })
    await library.ask('descaling lamp', {}, { language: 'de' })
  })
  const { database } = harness.service
  const own = statements.filter(({ sql }) => /article_(?:passage|search|categories|texts)/.test(sql))
  for (const part of ['article_passages', 'article_search_words', 'with recursive', 'article_search_misspellings']) {
    expect(
      own.some(({ sql }) => sql.includes(part)),
      part,
    ).toBe(true)
  }
  for (const statement of own.filter(({ sql }) => sql.startsWith('select') || sql.startsWith('with'))) {
    const plan = await explain(database, statement)
    expect(plan, statement.sql).not.toMatch(
      /SCAN (?!.*(VIRTUAL TABLE|CONSTANT|subquery|forms|longer|wanted|below|json_each|\(subquery))|Seq Scan/,
    )
    if (database.engine === 'sqlite' && statement.sql.includes('"wanted"."value"')) {
      expect(plan).toContain('USING INTEGER PRIMARY KEY (rowid=?)')
    }
  }
})

test.runIf(inject('engine') === 'postgres')('PostgreSQL uses the term index even for few rows', async () => {
  const plan = await harness.service.database.kysely.transaction().execute(async (tx) => {
    const { rows: functions } = await sql<{ settings: string[]; source: string }>`
      select proconfig as settings, prosrc as source from pg_proc where proname = 'article_passages_find'`.execute(tx)
    const [{ settings, source }] = functions as [(typeof functions)[number]]
    for (const setting of settings) await sql.raw(`set local ${setting}`).execute(tx)
    const query = /return query (.*); end/s.exec(source)?.[1] ?? ''
    const bound = query
      .replace('wanted', `'${newId()}'`)
      .replace('expressions', `'["x"]'`)
      .replace('limit most', 'limit 1')
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(bound)}`.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Bitmap Index Scan on article_passages_terms_idx')
})
