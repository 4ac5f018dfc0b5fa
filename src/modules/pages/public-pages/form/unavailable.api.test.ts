import { expect, inject, test } from 'vitest'
import { setReachable } from '../../../../testing/engines/database.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { useHarness } from '../../../../testing/harness.ts'
import { createPage, hiddenIn, PageVisitor, submissionsOf, valuesOf } from '../../../../testing/page-visitor.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })

test.runIf(inject('engine') === 'postgres')(
  'while the database is away, nothing that was typed is lost, and it can be sent afterwards',
  async () => {
    const tenant = await harness.createTenant()
    const page = await createPage(tenant)
    const visitor = new PageVisitor(harness, page)
    await visitor.open()
    const stranger = new PageVisitor(harness, await createPage(tenant))
    await setReachable(harness.location, false)
    const kept = await visitor.send({ what: 'It leaks <b>' })
    const byScript = await visitor.sendByScript({ what: 'It leaks' })
    const typed = await stranger.send({ what: 'It leaks "too"' })
    const german = new PageVisitor(harness, { public_slug: stranger.path.slice(3) })
    const inGerman = await german.request('POST', `${german.path}?lang=de-at`, new URLSearchParams({ what: 'Leckt' }))
    await setReachable(harness.location, true)
    expect([kept.status, kept.headers.get('retry-after')]).toEqual([503, '5'])
    expect(kept.text).toContain('It leaks &lt;b&gt;</textarea>')
    expect(kept.text).toContain('Nothing you typed is lost.')
    expect(byScript).toMatchObject({ status: 503, json: { message: expect.any(String) } })
    // This page was in nobody's memory, so only its form is shown.
    expect(typed.status).toBe(503)
    expect(hiddenIn(typed.text)).toMatchObject({ what: 'It leaks &quot;too&quot;' })
    expect(inGerman.text).toContain(`<html lang="de">`)
    expect(inGerman.text).toContain(`action="${german.path}?lang=de-AT"`)
    visitor.hidden = hiddenIn(kept.text)
    await eventually(async () => (await visitor.send({ what: 'It leaks <b>' })).status === 303)
    const received = await submissionsOf(harness, tenant, page)
    expect(received.map(valuesOf)).toMatchObject([{ 'What happened?': 'It leaks <b>' }])
  },
)
