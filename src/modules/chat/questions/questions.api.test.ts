import { beforeEach, describe, expect, test } from 'vitest'
import { deleteExpired } from '../../../erasure/retention.ts'
import { DAY_MS, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { ask, fillQuestions } from '../../../testing/data/questions.ts'
import { explain, firstIndex } from '../../../testing/engines/plans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { type AnswerFeedback, recordArticleFeedback, recordFeedback } from './index.ts'

const harness = useHarness({ role: 'api' })

let tenant: Tenant
let bot: string
beforeEach(async () => {
  tenant = await harness.createTenant()
  bot = await createBot()
})

async function createBot(fields: object = {}): Promise<string> {
  const reply = await tenant.post('/v1/chatbots', { name: 'Support', ...fields })
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body.id
}

const listOf = async (chatbot: string, query = ''): Promise<any[]> => {
  const reply = await tenant.get(`/v1/chatbots/${chatbot}/unanswered?limit=100${query}`)
  expect(reply, reply.text).toMatchObject({ status: 200 })
  return reply.body.data
}

const listAll = async (query = ''): Promise<any[]> => (await tenant.get(`/v1/unanswered?limit=100${query}`)).body.data

/** The questions of a list with their counts. */
const counted = (groups: any[]) => groups.map(({ question, count }) => [question, count])

describe('questions', () => {
  test('with the same meaning are one group, with its most frequent wording and up to five examples', async () => {
    const asked = [
      'How do I reset the thermostat?',
      'thermostat reset',
      'thermostat reset',
      'Hello, please tell me how to rest my themostat',
      'Resetting thermostats',
      'reset of the thermostat, please!',
      'how can I reset a thermostat',
      'Which oil is right for oak?',
    ]
    for (const text of asked) {
      harness.advance(SECOND_MS)
      await ask(harness, tenant, bot, text)
    }
    const groups = await listOf(bot)
    expect(counted(groups)).toEqual([
      ['Which oil is right for oak?', 1],
      ['thermostat reset', 7],
    ])
    expect(groups[1]).toMatchObject({
      object: 'unanswered_group',
      kind: 'question',
      chatbot_id: bot,
      article_id: null,
      language: 'en',
      not_helpful_count: 0,
      helpful_count: 0,
    })
    expect(groups[1].examples).toHaveLength(5)
    expect(groups[1].examples).toContainEqual({
      question: 'thermostat reset',
      count: 2,
      conversation_id: expect.any(String),
      message_id: expect.any(String),
      last_asked_at: expect.any(String),
    })
    expect(groups[1].first_asked_at < groups[1].last_asked_at).toBe(true)
  })

  test('are grouped the same on both engines', async () => {
    const words = ['filter', 'pump', 'hinge', 'handle', 'warranty', 'delivery', 'battery', 'drawer']
    const verbs = ['clean', 'replace', 'order', 'mount']
    let random = 1
    const pick = (from: string[]) => {
      random = (random * 48_271) % 2_147_483_647
      return from[random % from.length]
    }
    for (let n = 0; n < 80; n++) {
      const short = `${pick(verbs)} the ${pick(words)}?`
      await ask(
        harness,
        tenant,
        bot,
        n % 2 === 0 ? short : `How do I ${pick(verbs)} a ${pick(words)} or ${pick(words)}`,
      )
    }
    const groups = await listOf(bot, '&sort=count')
    expect(groups.map(({ question, count }) => `${count} ${question}`).sort()).toMatchInlineSnapshot(`
      [
        "1 How do I mount a battery or drawer",
        "1 How do I mount a filter or drawer",
        "1 How do I mount a warranty or filter",
        "1 How do I order a battery or pump",
        "1 How do I order a hinge or drawer",
        "1 How do I order a pump or handle",
        "1 How do I replace a delivery or pump",
        "1 How do I replace a filter or delivery",
        "1 How do I replace a hinge or delivery",
        "1 order the filter?",
        "2 How do I clean a warranty or battery",
        "2 How do I clean a warranty or delivery",
        "2 How do I mount a filter or delivery",
        "2 How do I order a pump or drawer",
        "2 How do I replace a drawer or handle",
        "2 clean the handle?",
        "2 mount the pump?",
        "2 order the warranty?",
        "3 How do I replace a battery or battery",
        "3 clean the drawer?",
        "3 clean the pump?",
        "3 order the delivery?",
        "3 replace the filter?",
        "3 replace the warranty?",
        "4 mount the battery?",
        "4 mount the hinge?",
        "5 How do I order a hinge or handle",
        "5 mount the handle?",
        "6 clean the warranty?",
        "6 mount the warranty?",
        "6 replace the handle?",
      ]
    `)
  })

  test('find their group by one misspelt word', async () => {
    await ask(harness, tenant, bot, 'Warranty?')
    await ask(harness, tenant, bot, 'waranty')
    await ask(harness, tenant, bot, 'warrantyy!!')
    expect(counted(await listOf(bot))).toEqual([['Warranty?', 3]])
  })

  test('in other languages, and to other chatbots, are other groups', async () => {
    const other = await createBot({ name: 'Sales' })
    await ask(harness, tenant, bot, 'Filter', 'en')
    await ask(harness, tenant, bot, 'Filter', 'de')
    await ask(harness, tenant, other, 'Filter', 'en')
    expect(await listOf(bot)).toHaveLength(2)
    expect(await listOf(other)).toHaveLength(1)
    expect(await listAll()).toHaveLength(3)
    expect((await listOf(bot, '&language=de')).map(({ language }) => language)).toEqual(['de'])
  })

  test('that arrive at once create one group', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask(harness, tenant, bot, `Reset the thermostat ${'!'.repeat(n)}`)),
    )
    expect((await listOf(bot)).map(({ count }) => count)).toEqual([20])
  })

  test('of one visitor count once until somebody else asks', async () => {
    const [one, other] = [newId(), newId()]
    for (const conversation of [one, one, one, other, one]) {
      await ask(harness, tenant, bot, 'Reset the thermostat', 'en', conversation)
    }
    expect((await listOf(bot)).map(({ count }) => count)).toEqual([3])
    // Questions through the API have no visitor.
    for (let n = 0; n < 3; n++) await ask(harness, tenant, bot, 'Paint the door', 'en', null)
    expect(counted(await listOf(bot, '&sort=count'))).toContainEqual(['Paint the door', 3])
  })

  test('without any word are not listed', async () => {
    for (const text of ['???', '🤷', '']) await ask(harness, tenant, bot, text)
    expect(await listOf(bot)).toEqual([])
  })

  test('may have any text', async () => {
    const texts = ['مرحبا كيف أنظف الفلتر؟', `filter ${'🏷️'.repeat(3000)}`, "'; drop table x; --", 'x'.repeat(10_000)]
    for (const text of texts) await ask(harness, tenant, bot, text)
    const groups = await listOf(bot)
    expect(groups).toHaveLength(4)
    for (const { question } of groups) expect([...question].length).toBeLessThanOrEqual(500)
  })

  test('take the place of the least recent group if a chatbot has 10,000', async () => {
    const { base } = await createCentre(harness, {}, tenant)
    await fillQuestions(harness, tenant.orgId, 10_000, { chatbot: bot, base: base.id })
    const groups = () =>
      harness.service.database.read
        .selectFrom('question_groups')
        .select('id')
        .where('org_id', '=', tenant.orgId)
        .orderBy('id')
        .execute()
    const before = await groups()
    harness.advance(SECOND_MS)
    await ask(harness, tenant, bot, 'Reset the thermostat')
    const after = await groups()
    expect(after).toHaveLength(10_000)
    expect(after.slice(0, -1)).toEqual(before.slice(1))
  })

  test('take as many statements with many groups as with none, and read keys by their index', async () => {
    const record = (text: string) => harness.statementsOf(() => ask(harness, tenant, bot, text))
    const first = await record('Reset the thermostat')
    for (let n = 0; n < 30; n++)
      await ask(harness, tenant, bot, `Reset the thing number ${n} ${String.fromCharCode(97 + n)}xyzzy`)
    const last = await record('Reset another thermostat')
    expect(last.length).toBeLessThanOrEqual(first.length + 2)
    const lookups = last.filter(({ sql }) => /"wanted"/.test(sql))
    expect(lookups.length).toBeGreaterThan(0)
    for (const lookup of lookups) {
      const plan = await explain(harness.service.database, lookup)
      expect(plan).toMatch(/question_keys_pkey|question_keys USING PRIMARY KEY/)
      expect(plan).not.toMatch(/SCAN question_keys|Seq Scan/)
    }
    const [byScope] = await harness
      .statementsOf(() => listOf(bot))
      .then((all) => all.filter(({ sql }) => /order by/.test(sql)))
    expect(firstIndex(await explain(harness.service.database, byScope!))).toBe('question_groups_scope_recent_idx')
  })
})

describe('feedback on an answer', () => {
  const vote = (fields: Partial<AnswerFeedback> & { isHelpful: boolean }) => {
    const feedback: AnswerFeedback = {
      orgId: tenant.orgId,
      chatbotId: bot,
      conversationId: newId(),
      messageId: newId(),
      text: 'How do I reset the thermostat?',
      language: 'en',
      isAnswered: true,
      now: timestamp(harness.nowMs()),
      ...fields,
    }
    return harness.service.database.write((tx) => recordFeedback(tx, feedback), tenant.orgId)
  }
  const counts = async () =>
    (await listOf(bot)).map(({ count, not_helpful_count, helpful_count }) => [count, not_helpful_count, helpful_count])

  test('that does not help joins the questions without an answer', async () => {
    await ask(harness, tenant, bot, 'thermostat reset')
    await vote({ isHelpful: false })
    expect(await counts()).toEqual([[2, 1, 0]])
    await vote({ isHelpful: false, text: 'Which oil is right for oak?' })
    expect(await counts()).toEqual([
      [1, 1, 0],
      [2, 1, 0],
    ])
  })

  test('that helps creates no group, but is counted where others did not get help', async () => {
    await vote({ isHelpful: true })
    expect(await counts()).toEqual([])
    await ask(harness, tenant, bot, 'thermostat reset')
    await vote({ isHelpful: true })
    expect(await counts()).toEqual([[1, 0, 1]])
  })

  test('counts once for each message, and can be changed', async () => {
    await ask(harness, tenant, bot, 'thermostat reset')
    const messageId = newId()
    for (const isHelpful of [false, false]) await vote({ messageId, isHelpful })
    expect(await counts()).toEqual([[2, 1, 0]])
    for (const isHelpful of [true, true]) await vote({ messageId, isHelpful })
    expect(await counts()).toEqual([[1, 0, 1]])
    await vote({ messageId, isHelpful: false })
    expect(await counts()).toEqual([[2, 1, 0]])
  })

  test('that is taken back leaves no group without a question', async () => {
    const messageId = newId()
    await vote({ messageId, isHelpful: false })
    expect(await counts()).toEqual([[1, 1, 0]])
    await vote({ messageId, isHelpful: true })
    expect(await counts()).toEqual([])
  })

  test('on an "I don\'t know" does not count the question twice', async () => {
    const conversation = newId()
    await ask(harness, tenant, bot, 'thermostat reset', 'en', conversation)
    await vote({ isHelpful: false, isAnswered: false, conversationId: conversation, text: 'thermostat reset' })
    expect(await counts()).toEqual([[1, 1, 0]])
  })

  test('at once for one message counts once', async () => {
    const messageId = newId()
    await Promise.all(Array.from({ length: 10 }, () => vote({ messageId, isHelpful: false })))
    expect(await counts()).toEqual([[1, 1, 0]])
  })

  test('works for a group that was deleted in the meantime, and for a text without words', async () => {
    const messageId = newId()
    await vote({ messageId, isHelpful: false })
    const [group] = await listOf(bot)
    expect((await tenant.delete(`/v1/unanswered/${group.id}`)).status).toBe(204)
    await vote({ messageId, isHelpful: true })
    await vote({ isHelpful: false, text: '???' })
    expect(await counts()).toEqual([])
  })
})

describe('articles that do not help', () => {
  const vote = (articleId: string, isHelpful: boolean, more: object = {}) =>
    harness.service.database.write(
      (tx) =>
        recordArticleFeedback(tx, {
          orgId: tenant.orgId,
          articleId,
          language: 'en',
          title: 'Oak table',
          voteId: newId(),
          isHelpful,
          comment: null,
          now: timestamp(harness.nowMs()),
          ...more,
        }),
      tenant.orgId,
    )

  test('are listed for the organisation, even without a chatbot, once somebody says so', async () => {
    const centre = await createCentre(harness, {}, tenant)
    const [oak, elm] = [await centre.article(), await centre.article({ slug: 'elm', title: 'Elm' })]
    await vote(oak.id, true)
    expect(await listAll()).toEqual([])
    await vote(oak.id, false)
    await vote(elm.id, true, { title: 'Elm' })
    expect(await listAll()).toMatchObject([
      {
        kind: 'article',
        article_id: oak.id,
        chatbot_id: null,
        question: 'Oak table',
        language: 'en',
        count: 1,
        not_helpful_count: 1,
        helpful_count: 1,
        examples: [],
      },
    ])
  })

  test('have one group per language, under the current title', async () => {
    const centre = await createCentre(harness, {}, tenant)
    const oak = await centre.article()
    await vote(oak.id, false, { title: 'Old title' })
    await vote(oak.id, false, { title: 'New title' })
    await vote(oak.id, false, { title: 'Eichentisch', language: 'de' })
    expect((await listAll('&sort=count')).map(({ question, language, count }) => [question, language, count])).toEqual([
      ['New title', 'en', 2],
      ['Eichentisch', 'de', 1],
    ])
  })

  test('are in the list of each chatbot that may use them', async () => {
    const centre = await createCentre(harness, {}, tenant)
    const outer = await centre.category({ slug: 'outer' })
    const inner = await centre.category({ slug: 'inner', parent_id: outer.id })
    const [deep, loose] = [await centre.article({ category_id: inner.id }), await centre.article({ slug: 'loose' })]
    const internal = await centre.article({ slug: 'internal', visibility: 'internal' })
    const draft = await centre.article({ slug: 'draft', status: 'draft' })
    const elsewhere = await createCentre(harness, { slug: 'elsewhere' }, tenant)
    const far = await elsewhere.article({ slug: 'far' })
    for (const { id } of [deep, loose, internal, draft, far]) {
      harness.advance(SECOND_MS)
      await vote(id, false)
    }
    const articlesOf = async (fields: object) =>
      (await listOf(await createBot({ name: newId(), ...fields }))).map(({ article_id }) => article_id)
    expect(await articlesOf({})).toEqual([far.id, loose.id, deep.id])
    expect(await articlesOf({ article_ids: [loose.id, internal.id] })).toEqual([loose.id])
    expect(await articlesOf({ category_ids: [outer.id] })).toEqual([deep.id])
    expect(await articlesOf({ knowledge_base_ids: [elsewhere.base.id], category_ids: [inner.id] })).toEqual([
      far.id,
      deep.id,
    ])
    expect(await listAll()).toHaveLength(5)
  })

  test('that a chatbot may not use are skipped over several pages', async () => {
    const centre = await createCentre(harness, {}, tenant)
    const wanted = await centre.article({ slug: 'wanted' })
    const others = await createCentre(harness, {}, tenant)
    await vote(wanted.id, false)
    harness.advance(SECOND_MS)
    await others.multiplyArticle((await others.article()).id, 700)
    await fillQuestions(harness, tenant.orgId, 700, { chatbot: bot, base: others.base.id })
    expect(await listAll()).toHaveLength(100)
    const limited = await createBot({ name: 'Limited', article_ids: [wanted.id] })
    expect((await listOf(limited)).map(({ article_id }) => article_id)).toEqual([wanted.id])
  })

  test('leave the list with the article', async () => {
    const centre = await createCentre(harness, {}, tenant)
    const oak = await centre.article()
    await vote(oak.id, false)
    expect((await tenant.delete(`/v1/articles/${oak.id}`)).status).toBe(204)
    expect(await listAll()).toEqual([])
  })

  test('and questions are one list, page by page, in either order', async () => {
    const centre = await createCentre(harness, {}, tenant)
    const words = ['filter', 'pump', 'hinge', 'handle', 'drawer']
    for (const [n, word] of words.entries()) {
      harness.advance(SECOND_MS)
      for (let times = 0; times <= n; times++) await ask(harness, tenant, bot, word)
      harness.advance(SECOND_MS)
      const { id } = await centre.article({ slug: word, title: word })
      for (let times = 0; times <= n; times++) await vote(id, false, { title: word })
    }
    for (const path of [`/v1/chatbots/${bot}/unanswered`, '/v1/unanswered']) {
      for (const sort of ['recent', 'count']) {
        const all: any[] = (await tenant.get(`${path}?limit=100&sort=${sort}`)).body.data
        expect(all).toHaveLength(10)
        const values = all.map(({ count, last_asked_at }) => (sort === 'count' ? count : last_asked_at))
        expect(values).toEqual(values.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)))
        const seen: any[] = []
        let cursor = ''
        for (;;) {
          const { body } = await tenant.get(`${path}?limit=3&sort=${sort}${cursor}`)
          seen.push(...body.data)
          if (!body.has_more) break
          cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
        }
        expect(seen).toEqual(all)
        const since = all[4].last_asked_at
        const later = (await tenant.get(`${path}?limit=100&sort=${sort}&since=${encodeURIComponent(since)}`)).body.data
        expect(later).toEqual(all.filter(({ last_asked_at }) => last_asked_at >= since))
      }
    }
  })
})

describe('a group that is done', () => {
  test('is gone, and the next question begins a new one', async () => {
    await ask(harness, tenant, bot, 'Reset the thermostat')
    const [group] = await listOf(bot)
    const path = `/v1/chatbots/${bot}/unanswered/${group.id}`
    expect(await tenant.delete(path)).toMatchObject({ status: 204, text: '' })
    expect(await tenant.delete(path)).toMatchObject({ status: 410, body: { error: 'gone' } })
    expect(await tenant.delete(`/v1/unanswered/${group.id}`)).toMatchObject({ status: 410 })
    expect(await listOf(bot)).toEqual([])
    const keys = harness.service.database.read
      .selectFrom('question_keys')
      .select('key')
      .where('org_id', '=', tenant.orgId)
    expect(await keys.execute()).toEqual([])
    const { data } = (await tenant.get(`/v1/audit-log?resource=${group.id}`)).body
    expect(data).toMatchObject([{ action: 'unanswered_group.deleted' }])
    await ask(harness, tenant, bot, 'Reset the thermostat')
    const [again] = await listOf(bot)
    expect(again).toMatchObject({ count: 1 })
    expect(again.id).not.toBe(group.id)
  })

  test('must be in the list of the chatbot', async () => {
    await ask(harness, tenant, bot, 'Reset the thermostat')
    const [group] = await listOf(bot)
    const other = await createBot({ name: 'Sales' })
    const stranger = await harness.createTenant()
    expect((await tenant.delete(`/v1/chatbots/${other}/unanswered/${group.id}`)).status).toBe(404)
    expect((await stranger.delete(`/v1/unanswered/${group.id}`)).status).toBe(404)
    expect((await stranger.delete(`/v1/chatbots/${bot}/unanswered/${group.id}`)).status).toBe(404)
    expect((await stranger.get(`/v1/chatbots/${bot}/unanswered`)).status).toBe(404)
    expect(await listOf(bot)).toHaveLength(1)
  })
})

test('groups of a deleted chatbot stay in the list of the organisation', async () => {
  await ask(harness, tenant, bot, 'Reset the thermostat')
  expect((await tenant.delete(`/v1/chatbots/${bot}`)).status).toBe(204)
  expect((await tenant.get(`/v1/chatbots/${bot}/unanswered`)).status).toBe(410)
  expect(await listAll()).toMatchObject([{ chatbot_id: bot }])
})

test('groups and votes are deleted 400 days after somebody last asked, and who voted on an article after a day', async () => {
  const { database } = harness.service
  const rows = async (table: 'question_keys' | 'answer_votes' | 'article_votes') =>
    (await database.read.selectFrom(table).selectAll().where('org_id', '=', tenant.orgId).execute()).length
  const sweep = () => deleteExpired(database, harness.nowMs(), 400)
  const common = { orgId: tenant.orgId, language: 'en' as const, isHelpful: false, now: timestamp(harness.nowMs()) }
  const asked = { chatbotId: bot, conversationId: null, messageId: newId(), text: 'Reset the thermostat' }
  const { id: articleId } = await (await createCentre(harness, {}, tenant)).article()
  await database.write((tx) => recordFeedback(tx, { ...common, ...asked, isAnswered: true }))
  await database.write((tx) =>
    recordArticleFeedback(tx, { ...common, comment: null, articleId, title: 'Oak', voteId: 'a' }),
  )
  harness.advance(DAY_MS + SECOND_MS)
  await sweep()
  expect([await rows('answer_votes'), await rows('article_votes'), (await listAll()).length]).toEqual([1, 0, 2])
  harness.advance(398 * DAY_MS)
  await ask(harness, tenant, bot, 'Which oil is right for oak?')
  await sweep()
  expect(await listAll()).toHaveLength(3)
  harness.advance(DAY_MS)
  await sweep()
  expect(counted(await listAll())).toEqual([['Which oil is right for oak?', 1]])
  expect(await rows('answer_votes')).toBe(0)
  const [left] = await listAll()
  const keys = await database.read
    .selectFrom('question_keys')
    .select('group_id')
    .distinct()
    .where('org_id', '=', tenant.orgId)
    .execute()
  expect(keys).toEqual([{ group_id: left.id }])
})
