import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createForm, receive } from '../../../testing/data/submissions.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

async function openSubmission() {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  const { id } = await receive(harness, acme, page.id)
  return { acme, page, id, path: `/v1/submissions/${id}` }
}

describe('triage', () => {
  test('resolved stamps who and when, and any other status clears the stamps', async () => {
    const { acme, path } = await openSubmission()
    const agent = await harness.createPerson(acme, 'agent')
    const resolved = (await agent.patch(path, { status: 'resolved' })).body
    expect(resolved).toMatchObject({ status: 'resolved', resolved_by: agent.userId, resolved_at: resolved.updated_at })
    expect(resolved.viewed_at).toBe(resolved.updated_at)
    harness.advance(MINUTE_MS)
    expect((await agent.patch(path, { status: 'resolved' })).body).toEqual(resolved)
    const again = (await acme.patch(path, { status: 'in_progress' })).body
    expect(again).toMatchObject({ resolved_by: null, resolved_at: null, viewed_at: resolved.viewed_at })
    expect((await acme.patch(path, { status: 'resolved' })).body).toMatchObject({
      resolved_by: null,
      resolved_at: expect.any(String),
    })
  })

  test('each changed field is one row of activity, with the person who did it', async () => {
    const { acme, id, path } = await openSubmission()
    const agent = await harness.createPerson(acme, 'agent')
    await agent.patch(path, {
      status: 'read',
      priority: 'high',
      flagged: true,
      assignee_id: agent.userId,
      notes: 'Call',
    })
    await acme.patch(path, { flagged: false, assignee_id: null, priority: 'high' })
    await acme.patch(path, {})
    const { data } = (await acme.get(`${path}/events`)).body
    const shown = data.map(({ type, actor_id, from, to, submission_id }: any) => {
      expect(submission_id).toBe(id)
      return [type, actor_id, from, to]
    })
    expect(shown).toHaveLength(8)
    expect(shown).toEqual(
      expect.arrayContaining([
        ['created', null, null, null],
        ['status_changed', agent.userId, 'new', 'read'],
        ['priority_changed', agent.userId, 'none', 'high'],
        ['flagged', agent.userId, null, null],
        ['assigned', agent.userId, null, agent.userId],
        ['notes_updated', agent.userId, null, null],
        ['unflagged', null, null, null],
        ['unassigned', null, agent.userId, null],
      ]),
    )
  })

  test('emits submission.updated with its changes, and the audit log does not repeat notes', async () => {
    const { acme, id, path } = await openSubmission()
    const { body } = await acme.patch(path, { status: 'read', notes: 'The visitor is Kim.' })
    expect(await acme.lastEvent()).toMatchObject({
      type: 'submission.updated',
      data: {
        ...body,
        changes: {
          status: { from: 'new', to: 'read' },
          notes: { from: null, to: 'The visitor is Kim.' },
          viewed_at: { from: null, to: body.updated_at },
        },
      },
    })
    const [entry] = (await acme.get(`/v1/audit-log?resource=${id}`)).body.data
    expect(entry).toMatchObject({
      action: 'submission.updated',
      changes: { status: { from: 'new', to: 'read' }, notes: { from: null, to: null, omitted: true } },
    })
    expect(JSON.stringify(entry)).not.toContain('Kim.')
  })

  test('only members can be assigned, and notes have at most 10,000 characters', async () => {
    const { acme, path } = await openSubmission()
    const stranger = await harness.createPerson(await harness.createTenant(), 'owner')
    for (const assignee_id of [stranger.userId, newId()]) {
      expect(await acme.patch(path, { assignee_id })).toMatchObject({
        status: 422,
        body: { error: 'unprocessable', details: { field: 'assignee_id', value: assignee_id } },
      })
    }
    expect((await acme.patch(path, { notes: '🛢'.repeat(10_000) })).status).toBe(200)
    expect((await acme.patch(path, { notes: 'x'.repeat(10_001) })).status).toBe(400)
  })

  test('two people who change a submission at once both succeed, and no activity is lost', async () => {
    const { acme, path } = await openSubmission()
    const statuses = ['read', 'in_progress', 'resolved', 'spam', 'new']
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        acme.patch(path, { status: statuses[n % 5], priority: ['low', 'medium', 'high'][n % 3] }),
      ),
    )
    for (const reply of replies) expect(reply.status).toBe(200)
    const { status, resolved_at } = (await acme.get(path)).body
    expect(resolved_at !== null).toBe(status === 'resolved')
    const changes = (await acme.get(`${path}/events?limit=100`)).body.data.filter(
      (one: any) => one.type === 'status_changed',
    )
    for (const name of statuses) {
      const left = changes.filter(({ from }: any) => from === name).length
      const entered = changes.filter(({ to }: any) => to === name).length
      expect(left - entered, name).toBe((name === 'new' ? 1 : 0) - (name === status ? 1 : 0))
    }
  })
})

test('another organisation sees neither a submission nor the submissions of a page that is not its own', async () => {
  const { page, path } = await openSubmission()
  const other = await harness.createTenant()
  for (const reply of [
    await other.get(path),
    await other.patch(path, { flagged: true }),
    await other.delete(path),
    await other.get(`${path}/events`),
    await other.get(`${path}/files/${newId()}`),
  ]) {
    expect(reply.status).toBe(404)
  }
  expect((await other.get(`/v1/submissions?page_id=${page.id}`)).body.data).toEqual([])
  expect((await other.get(`/v1/submissions/export.csv?page_id=${page.id}`)).text.trim().split('\r\n')).toHaveLength(1)
})

describe('lists', () => {
  async function fill() {
    const acme = await harness.createTenant()
    const agent = await harness.createPerson(acme, 'agent')
    const pages = [await createForm(acme), await createForm(acme)]
    const scanned = {
      qr_code: (await acme.post('/v1/qr-codes', {})).body.id as string,
      object: (await acme.post('/v1/objects', { type: 'machine' })).body.id as string,
      product: (await acme.post('/v1/products', { name: 'Oil' })).body.id as string,
    }
    const kinds = Object.keys(scanned) as (keyof typeof scanned)[]
    const all: any[] = []
    for (let n = 0; n < 30; n++) {
      const kind = kinds[n % 4]
      const { id } = await receive(
        harness,
        acme,
        pages[n % 2].id,
        { what: n % 7 === 0 ? `Größe ${n} 100%_ok` : `Fault ${n}` },
        { ...(kind && { scanned: { kind, id: scanned[kind] } }), suspicion: n % 10 === 9 ? 'too_fast' : null },
      )
      const change = {
        ...(n % 3 === 0 && { priority: 'high' }),
        ...(n % 5 === 0 && { flagged: true }),
        ...(n % 6 === 0 && { assignee_id: agent.userId }),
        ...(n % 8 === 1 && { status: 'resolved', notes: 'Sent a TECHNICIAN' }),
      }
      all.unshift((await acme.patch(`/v1/submissions/${id}`, change)).body)
      if (n % 4 === 0) harness.advance(1000)
    }
    all.sort((one, other) => (one.created_at + one.id < other.created_at + other.id ? 1 : -1))
    return { acme, agent, pages, scanned, all }
  }

  const walk = async (acme: Tenant, query: string): Promise<any[]> => {
    const seen: any[] = []
    for (let cursor = ''; ; ) {
      const { status, body } = await acme.get(`/v1/submissions?limit=4&${query}${cursor}`)
      expect(status).toBe(200)
      seen.push(...body.data)
      if (body.next_cursor === null) return seen
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
    }
  }

  test('every filter, and several together, return each matching submission once', async () => {
    const { acme, agent, pages, scanned, all } = await fill()
    const middle = all[15].created_at
    const filters: [string, (one: any) => boolean][] = [
      ['', () => true],
      [`page_id=${pages[0].id}`, (one) => one.page_id === pages[0].id],
      ['status=new', (one) => one.status === 'new'],
      ['status=spam', (one) => one.status === 'spam'],
      ['priority=high', (one) => one.priority === 'high'],
      ['priority=none', (one) => one.priority === 'none'],
      ['flagged=true', (one) => one.flagged],
      ['flagged=false', (one) => !one.flagged],
      [`assignee_id=${agent.userId}`, (one) => one.assignee_id === agent.userId],
      [`qr_code_id=${scanned.qr_code}`, (one) => one.qr_code_id === scanned.qr_code],
      [`object_id=${scanned.object}`, (one) => one.object_id === scanned.object],
      [`product_id=${scanned.product}`, (one) => one.product_id === scanned.product],
      [`from=${encodeURIComponent(middle)}`, (one) => one.created_at >= middle],
      [`to=${encodeURIComponent(middle)}`, (one) => one.created_at < middle],
      ['search=technician', (one) => one.notes === 'Sent a TECHNICIAN'],
      [`search=${encodeURIComponent('GRÖSSE')}`, (one) => JSON.stringify(one.data).includes('Größe')],
      [`search=${encodeURIComponent('größe')}`, (one) => JSON.stringify(one.data).includes('Größe')],
      [`search=${encodeURIComponent('0%_ok')}`, (one) => JSON.stringify(one.data).includes('100%_ok')],
      ['search=', () => true],
    ]
    const { length } = filters
    for (let n = 0; n < length; n++) {
      const [query, matches] = filters[n]!
      expect(await walk(acme, query), query).toEqual(all.filter(matches))
      const [second, alsoMatches] = filters[(n * 7 + 3) % length]!
      if (second.split('=')[0] === query.split('=')[0]) continue
      const both = all.filter((one) => matches(one) && alsoMatches(one))
      expect(await walk(acme, `${query}&${second}`), `${query}&${second}`).toEqual(both)
    }
  })

  test('a page of long submissions ends early, and cursors still return each once', async () => {
    const acme = await harness.createTenant()
    const blocks = Array.from({ length: 16 }, (_, n) => ({
      type: 'form_textarea',
      config: { label: 'Text', name: `text-${n}` },
    }))
    const page = await createForm(acme, { blocks })
    const answers = Object.fromEntries(blocks.map(({ config }) => [config.name, 'x'.repeat(10_000)]))
    for (let n = 0; n < 9; n++) await receive(harness, acme, page.id, answers)
    const first = (await acme.get('/v1/submissions?limit=100')).body
    expect(first.data.length).toBeLessThan(9)
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(1.1 * 1024 * 1024)
    expect(await walk(acme, '')).toHaveLength(9)
    expect(await acme.lastEvent()).toMatchObject({ data: { data: expect.any(Object) } })
  })

  test('rejects a malformed filter', async () => {
    const acme = await harness.createTenant()
    for (const query of ['status=open', 'flagged=1', 'from=yesterday', 'priority=urgent']) {
      expect((await acme.get(`/v1/submissions?${query}`)).body.error).toBe('invalid_query')
    }
    expect((await acme.get('/v1/submissions?page_id=1')).body.error).toBe('invalid_id')
  })
})
