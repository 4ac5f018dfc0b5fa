import { sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { indexArticles, updateVocabulary } from '../../../testing/data/index-articles.ts'
import { insertPublished, type SearchableArticle } from '../../../testing/data/published-articles.ts'
import { explain } from '../../../testing/engines/plans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { testOnce } from '../../../testing/test-once.ts'
import { analyseText, createAnalyser, indexTexts, searchArticles, unindexArticles } from './index.ts'

const harness = useHarness({ role: 'api' })
const analyser = createAnalyser()
afterAll(() => analyser.close())

interface Given {
  title?: string
  plain?: string
  /** Markdown. */
  content?: string
  language?: string
  visibility?: SearchableArticle['visibility']
  base?: string
  /** Translations. */
  also?: { language: string; title: string; plain: string }[]
}

/** An organisation with a knowledge base whose articles are stored and indexed directly. */
class Shelf {
  readonly tenant: Tenant
  readonly base: string
  constructor(tenant: Tenant, base: string) {
    this.tenant = tenant
    this.base = base
  }

  static async create(): Promise<Shelf> {
    const tenant = await harness.createTenant()
    const { body } = await tenant.post('/v1/knowledge-bases', { name: 'Help', is_published: true })
    return new Shelf(tenant, body.id)
  }

  async add(...given: Given[]): Promise<string[]> {
    const articles = given.map((one) => this.toArticle(one))
    await harness.service.database.write((tx) => this.store(tx, articles))
    await this.index(articles)
    return articles.map(({ id }) => id)
  }

  toArticle({ title = 'Untitled', plain = '', content, language = 'en', visibility = 'public', ...given }: Given) {
    const { base, also = [] } = given
    const texts = [{ language, title, plain, ...(content !== undefined && { content }) }, ...also]
    return { id: newId(), knowledge_base_id: base ?? this.base, visibility, texts }
  }

  store(tx: Tx, articles: SearchableArticle[]): Promise<void> {
    return insertPublished(tx, this.tenant.orgId, articles, timestamp(harness.nowMs()))
  }

  async search(q: string, more = ''): Promise<any> {
    const { status, body } = await this.tenant.get(`/v1/articles/search?q=${encodeURIComponent(q)}${more}`)
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }

  async titles(q: string, more = ''): Promise<string[]> {
    const { total, data } = await this.search(q, more)
    expect(total).toBe(data.length)
    return data.map(({ title }: { title: string }) => title)
  }

  /** Returns the missing words of each result by title. */
  async missing(q: string, more = ''): Promise<Record<string, string[]>> {
    const { data } = await this.search(q, more)
    return Object.fromEntries(
      data.map((hit: { title: string; missing_words: string[] }) => [hit.title, hit.missing_words]),
    )
  }

  async snippet(q: string): Promise<string> {
    return (await this.search(q)).data[0]?.snippet
  }

  index(articles: SearchableArticle[]): Promise<void> {
    return indexArticles(harness.service.database, analyser, this.tenant.orgId, articles)
  }

  async unindex(ids: string[]): Promise<void> {
    const { database } = harness.service
    await database.write((tx) => unindexArticles(tx, this.tenant.orgId, ids))
    await updateVocabulary(database, analyser, this.tenant.orgId)
  }
}

/** Returns the words of an organisation with their counts. */
async function vocabulary({ tenant }: Shelf): Promise<string[]> {
  const rows = await harness.service.database.kysely
    .selectFrom('article_search_words')
    .select(['word', 'texts'])
    .where('org_id', '=', tenant.orgId)
    .orderBy('word')
    .execute()
  return rows.map(({ word, texts }) => `${word} ${texts}`)
}

describe('ranking', () => {
  test('puts titles before texts, and the exact word before another form of it', async () => {
    const shelf = await Shelf.create()
    await shelf.add(
      { title: 'Text, other form', plain: 'It prints well.' },
      { title: 'Text, exact', plain: 'While printing it hums.' },
      { title: 'About prints' },
      { title: 'About printing' },
    )
    expect(await shelf.titles('printing')).toEqual([
      'About printing',
      'About prints',
      'Text, exact',
      'Text, other form',
    ])
  })

  test('puts the text that uses the word more often first', async () => {
    const shelf = await Shelf.create()
    await shelf.add(
      { title: 'Often', plain: 'The hinge creaks. Oil the hinge. A hinge needs oil.' },
      { title: 'Once', plain: 'The door creaks. Oil the hinge. A drawer needs wax.' },
    )
    expect(await shelf.titles('hinge')).toEqual(['Often', 'Once'])
  })

  test('finds articles with some of the words after those with more of them, and says which are missing', async () => {
    const shelf = await Shelf.create()
    await shelf.add({ title: 'Reset a router', plain: 'Hold the button.' }, { title: 'Reset', plain: 'Other.' })
    await shelf.add({ title: 'Lost secondary device', plain: 'Use a recovery code.' })
    expect(await shelf.titles('router button')).toEqual(['Reset a router'])
    expect(await shelf.missing('router drawer')).toEqual({ 'Reset a router': ['drawer'] })
    expect(await shelf.titles('how do I reset my router')).toEqual(['Reset a router', 'Reset'])
    expect(await shelf.missing('reset Router')).toEqual({ 'Reset a router': [], Reset: ['Router'] })
    expect(await shelf.missing('lost phone')).toEqual({ 'Lost secondary device': ['phone'] })
    expect(await shelf.titles('the')).toEqual(['Reset a router'])
    expect((await shelf.search('zzxqy')).data).toEqual([])
  })

  test('weighs words by how rare they are, and leaves out articles with far less of the query', async () => {
    const shelf = await Shelf.create()
    await shelf.add(...Array.from({ length: 12 }, (_, n) => ({ title: `Machine ${n}`, plain: 'A machine.' })), {
      title: 'Gasket',
      plain: 'Clean it.',
    })
    const { data } = await shelf.search('machine gasket')
    expect(data[0]).toMatchObject({ title: 'Gasket', missing_words: ['machine'] })
    expect(await shelf.titles('machine gasket clean')).toEqual(['Gasket'])
  })

  test('counts headings more than text, and words near each other more than words far apart', async () => {
    const shelf = await Shelf.create()
    const filler = 'lorem ipsum dolor sit amet '.repeat(20)
    await shelf.add(
      { title: 'One', content: '## Varnish\n\nApply it.', plain: 'Varnish Apply it.' },
      { title: 'Two', plain: 'Apply some varnish now.' },
      { title: 'Far', plain: `A pump. ${filler} A valve. ${filler}` },
      { title: 'Near', plain: `${filler} The pump has a valve. ${filler}` },
    )
    expect(await shelf.titles('varnish')).toEqual(['One', 'Two'])
    expect(await shelf.titles('pump valve')).toEqual(['Near', 'Far'])
  })

  test('finds words that are written together or apart', async () => {
    const shelf = await Shelf.create()
    await shelf.add({ title: 'Autofill' }, { title: 'Error E10' }, { title: 'Dish washer' }, { title: 'Error E 20' })
    expect(await shelf.missing('auto fill')).toEqual({ Autofill: [] })
    expect((await shelf.titles('E 10'))[0]).toBe('Error E10')
    expect(await shelf.titles('dishwasher')).toEqual(['Dish washer'])
    expect((await shelf.titles('e20'))[0]).toBe('Error E 20')
  })

  test('knows the categories of an article, and finds it by their names', async () => {
    const shelf = await Shelf.create()
    const category = async (name: string, parent_id?: string) =>
      (
        await shelf.tenant.post('/v1/article-categories', {
          name,
          slug: name.toLowerCase(),
          knowledge_base_id: shelf.base,
          parent_id,
        })
      ).body.id
    const kitchen = await category('Kitchen')
    const fridges = await category('Fridges', kitchen)
    const [id] = await shelf.add({ title: 'Ice at the back' }, { title: 'Ice cream' })
    await harness.service.database.kysely
      .updateTable('articles')
      .set({ category_id: fridges })
      .where('org_id', '=', shelf.tenant.orgId)
      .where('id', '=', id!)
      .execute()
    const { data } = await shelf.search('ice')
    expect(data.find(({ article_id }: { article_id: string }) => article_id === id).category_path).toEqual([
      { id: kitchen, name: 'Kitchen' },
      { id: fridges, name: 'Fridges' },
    ])
    await shelf.tenant.patch(`/v1/article-categories/${fridges}`, { translations: { en: { name: 'Refrigerators' } } })
    const translated = (await shelf.search('ice')).data
    expect(translated.find(({ article_id }: { article_id: string }) => article_id === id).category_path[1].name).toBe(
      'Refrigerators',
    )
    const within = `&knowledge_base_id=${shelf.base}`
    expect(await shelf.missing('fridge ice', within)).toEqual({ 'Ice at the back': [], 'Ice cream': ['fridge'] })
    expect((await shelf.titles('fridge ice', within))[0]).toBe('Ice at the back')
    expect((await shelf.titles('refrigerator ice', within))[0]).toBe('Ice at the back')
    expect(await shelf.missing('refrigerator ice')).toEqual({
      'Ice at the back': ['refrigerator'],
      'Ice cream': ['refrigerator'],
    })
  })

  test('completes only the last word', async () => {
    const shelf = await Shelf.create()
    await shelf.add({ title: 'Warranty', plain: 'It covers the upholstery.' })
    expect(await shelf.titles('covers upho')).toEqual(['Warranty'])
    expect(await shelf.missing('upho covers')).toEqual({ Warranty: ['upho'] })
    await shelf.add({ title: 'Connections' }, { title: 'Connecting' })
    expect(await shelf.titles('connectio')).toEqual(['Connections'])
  })

  test('returns every result once across pages, even beyond the ranked ones', async () => {
    const shelf = await Shelf.create()
    await shelf.add(
      ...Array.from({ length: 450 }, (_, n) => ({ title: n % 9 ? `Chair ${n}` : 'Bench', plain: 'An oak chair.' })),
    )
    const seen: string[] = []
    for (let page = 1; page <= 6; page++) {
      const { total, data } = await shelf.search('chair', `&page=${page}&page_size=90`)
      expect(total).toBe(450)
      seen.push(...data.map(({ article_id }: { article_id: string }) => article_id))
    }
    expect(seen).toHaveLength(450)
    expect(new Set(seen).size).toBe(450)
  })

  test('says also of a frequent word whether an article has it', async () => {
    const shelf = await Shelf.create()
    const filler = 'lorem ipsum dolor sit amet '.repeat(100)
    await shelf.add(
      ...Array.from({ length: 610 }, (_, n) => ({ title: `Seat ${n}`, plain: 'An oak chair.' })),
      { title: 'Gasket', plain: filler },
      { title: 'Valve', plain: `A gasket. ${filler} A chair.` },
    )
    expect(await shelf.missing('chair gasket pump')).toEqual({ Gasket: ['pump', 'chair'], Valve: ['pump'] })
    expect((await shelf.search('chair')).total).toBe(611)
  })
})

describe('languages', () => {
  test.each([
    ['en', 'Connections', 'connecting'],
    ['de', 'Größen der Häuser', 'GROSSE haus'],
    ['de', 'Schlüssel', 'schluessel'],
    ['fr', 'Réinitialisation des imprimantes', 'reinitialiser imprimante'],
    ['nl', 'De brieven', 'brief'],
    ['sv', 'Skrivarna', 'skrivaren'],
    ['es', 'Instalación de impresoras', 'instalar impresora'],
    ['it', 'Le stampanti', 'stampante'],
    ['no', 'Skriverne', 'skriveren'],
  ])('%s: finds "%s" by "%s"', async (language, title, q) => {
    const shelf = await Shelf.create()
    await shelf.add({ title, language })
    expect(await shelf.titles(q)).toEqual([title])
    expect(await shelf.titles(q, `&language=${language}`)).toEqual([title])
  })

  test('ignores case, accents and letter width', async () => {
    const shelf = await Shelf.create()
    await shelf.add({ title: 'Crème brûlée', plain: 'ＦＵＬＬ width, ŁÓDŹ, Øresund' })
    for (const q of ['creme BRULEE', 'crème brûlée', 'full', 'lodz', 'oresund', 'CRE\u0300ME']) {
      expect(await shelf.titles(q), q).toEqual(['Crème brûlée'])
    }
  })

  test('returns each translation as a separate result, and filters by language', async () => {
    const shelf = await Shelf.create()
    const also = [{ language: 'de', title: 'Acme einrichten', plain: 'So geht es.' }]
    await shelf.add({ title: 'Setting up Acme', also })
    expect((await shelf.titles('acme')).sort()).toEqual(['Acme einrichten', 'Setting up Acme'])
    expect(await shelf.titles('acme', '&language=de')).toEqual(['Acme einrichten'])
    expect(await shelf.titles('acme', '&language=fr')).toEqual([])
  })

  test('finds Japanese, Chinese and Korean texts by any part, even a single character', async () => {
    const shelf = await Shelf.create()
    await shelf.add(
      { title: 'プリンターの設定', plain: '東京の本社でWi-Fiルーターを再起動します。', language: 'ja' },
      { title: '打印机设置', plain: '请重新启动路由器。', language: 'zh' },
      { title: '프린터 설정', plain: '라우터를 다시 시작하세요.', language: 'ko' },
    )
    for (const q of ['設定', '再起動', '京', 'ルーター', 'ﾌﾟﾘﾝﾀｰ', 'wi-fiルーター']) {
      expect(await shelf.titles(q), q).toEqual(['プリンターの設定'])
    }
    expect(await shelf.titles('路由器')).toEqual(['打印机设置'])
    expect(await shelf.titles('라우터')).toEqual(['프린터 설정'])
    expect(await shelf.missing('再起動しない')).toEqual({ プリンターの設定: [] })
    expect(await shelf.missing('再起動 冷蔵庫')).toEqual({ プリンターの設定: ['冷蔵庫'] })
    expect(await shelf.snippet('再起動')).toBe('東京の本社でWi-Fiルーターを<mark>再起動</mark>します。')
  })
})

describe('misspellings', () => {
  test.each([
    ['en', 'Upholstery', 'upholstry'],
    ['en', 'Upholstery', 'uphlostery'],
    ['en', 'Upholstery', 'upholsterry'],
    ['en', 'Upholstery', 'apholstary'],
    ['en', 'Printers', 'prinetrs'],
    ['en', 'Hinge', 'hingr'],
    ['en', 'Drawers', 'drwaesr'],
    ['de', 'Gewährleistung', 'gewaerleistung'],
    ['fr', 'Étagères', 'etagerres'],
    ['sv', 'Underhållsråd', 'underhalsrad'],
  ])('%s: finds "%s" by the misspelling "%s"', async (language, title, q) => {
    const shelf = await Shelf.create()
    await shelf.add({ title, language, plain: 'More.' })
    expect(await shelf.titles(q)).toEqual([title])
  })

  test('does not correct short words, codes and known words', async () => {
    const shelf = await Shelf.create()
    await shelf.add({ title: 'Oak and ash' }, { title: 'Model WM2000' }, { title: 'Table' }, { title: 'Cable' })
    expect(await shelf.titles('oaj')).toEqual([])
    expect(await shelf.titles('wm2001')).toEqual([])
    expect(await shelf.titles('cable')).toEqual(['Cable'])
    expect((await shelf.titles('xable')).sort()).toEqual(['Cable', 'Table'])
  })

  test('are judged by the knowledge base that is searched', async () => {
    const shelf = await Shelf.create()
    const { body: second } = await shelf.tenant.post('/v1/knowledge-bases', { name: 'Second' })
    await shelf.add({ title: 'Upholstery' }, { title: 'Upholstry', base: second.id })
    const within = (base: string) => `&knowledge_base_id=${base}`
    expect(await shelf.titles('upholstry', within(shelf.base))).toEqual(['Upholstery'])
    expect(await shelf.titles('upholstery', within(second.id))).toEqual(['Upholstry'])
    expect(await shelf.titles('upholstry')).toEqual(['Upholstry'])
  })

  test('does not correct to a word that no article contains any more', async () => {
    const shelf = await Shelf.create()
    const [gone] = await shelf.add({ title: 'Upholstery of chairs' }, { title: 'Chairs' })
    expect(await vocabulary(shelf)).toEqual(['chairs 2', 'of 1', 'upholstery 1'])
    await shelf.unindex([gone!])
    expect(await vocabulary(shelf)).toEqual(['chairs 1'])
    expect(await shelf.titles('upholstry')).toEqual([])
    await shelf.unindex([gone!])
    expect(await vocabulary(shelf)).toEqual(['chairs 1'])
  })
})

describe('results', () => {
  test('show about 160 characters around the best passage, cut at spaces', async () => {
    const shelf = await Shelf.create()
    const filler = 'lorem ipsum dolor sit amet '.repeat(40)
    await shelf.add({ title: 'Care', plain: `A hinge. ${filler}Oil the hinge of the cupboard.\nThen ${filler}` })
    const snippet = await shelf.snippet('oil hinges')
    expect(snippet).toContain('<mark>Oil</mark> the <mark>hinge</mark> of the cupboard. Then')
    expect(snippet).toMatch(/^…(lorem|ipsum|dolor|sit|amet) .* (lorem|ipsum|dolor|sit|amet)…$/)
    expect(snippet.replace(/<.?mark>/g, '').length).toBeLessThan(200)
  })

  test('mark corrections and completions, and show the beginning of a text without a match', async () => {
    const shelf = await Shelf.create()
    await shelf.add({ title: 'Upholstery', plain: 'Our upholstery lasts.' }, { title: 'Wax', plain: 'Use it & rest.' })
    expect(await shelf.snippet('upholstry')).toBe('Our <mark>upholstery</mark> lasts.')
    expect(await shelf.snippet('upho')).toBe('Our <mark>upholstery</mark> lasts.')
    expect(await shelf.snippet('wax')).toBe('Use it &amp; rest.')
  })

  test('show a match far into a long text', async () => {
    const shelf = await Shelf.create()
    await shelf.add({ title: 'Long', plain: `${'lorem ipsum '.repeat(40_000)}upholstery at last` })
    expect(await shelf.snippet('upholstery')).toMatch(/^….*<mark>upholstery<\/mark> at last$/)
  })

  test('have a URL only if the article is public and its knowledge base published', async () => {
    const shelf = await Shelf.create()
    const { body: draft } = await shelf.tenant.post('/v1/knowledge-bases', { name: 'Draft', is_published: false })
    await shelf.add(
      { title: 'Public wax' },
      { title: 'Internal wax', visibility: 'internal' },
      { title: 'Hidden wax', base: draft.id },
    )
    const { data } = await shelf.search('wax')
    const urls = Object.fromEntries(data.map(({ title, url }: { title: string; url: string | null }) => [title, url]))
    expect(urls).toEqual({
      'Public wax': expect.stringMatching(/^http.*\/kb\/[^/]+\/en\/articles\/article-/),
      'Internal wax': null,
      'Hidden wax': null,
    })
  })
})

describe('scope', () => {
  test('is limited to the organisation, and to a knowledge base and a visibility on request', async () => {
    const [shelf, other] = [await Shelf.create(), await Shelf.create()]
    const { body: second } = await shelf.tenant.post('/v1/knowledge-bases', { name: 'Second' })
    await shelf.add({ title: 'First wax' }, { title: 'Second wax', base: second.id, visibility: 'internal' })
    await other.add({ title: 'Foreign wax' })
    expect((await shelf.titles('wax')).sort()).toEqual(['First wax', 'Second wax'])
    expect(await shelf.titles('wax', `&knowledge_base_id=${second.id}`)).toEqual(['Second wax'])
    expect(await shelf.titles('wax', `&knowledge_base_id=${other.base}`)).toEqual([])
    expect(await other.titles('wax')).toEqual(['Foreign wax'])
    const visible = async (query: object) => {
      const { database } = harness.service
      const { hits } = await searchArticles(database.read, shelf.tenant.orgId, { q: 'wax', ...query }, 10, 0)
      return hits.map(({ title }) => title)
    }
    expect(await visible({ visibility: 'public' })).toEqual(['First wax'])
    expect(await visible({ visibility: 'internal', knowledge_base_id: second.id })).toEqual(['Second wax'])
    expect(await visible({ visibility: 'public', knowledge_base_id: second.id })).toEqual([])
  })

  test('indexing again replaces the previous entry, and a failed transaction changes nothing', async () => {
    const shelf = await Shelf.create()
    const article = shelf.toArticle({ title: 'Old hinge' })
    const { orgId } = shelf.tenant
    const { database } = harness.service
    const titled = (title: string) => ({ ...article, texts: [{ language: 'en', title, plain: '' }] })
    await database.write((tx) => shelf.store(tx, [article]))
    await shelf.index([article])
    await shelf.index([titled('New drawer')])
    expect((await shelf.search('hinge')).total).toBe(0)
    expect((await shelf.search('drawer')).total).toBe(1)
    const third = { language: 'en', title: 'Third cupboard', content: '', plain: '' }
    const entry = await analyseText(database.read, analyser, orgId, third, undefined)
    const failing = database.write(async (tx) => {
      await indexTexts(tx, orgId, [{ ...article, version_number: 1, entries: [entry!] }])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect((await shelf.search('drawer')).total).toBe(1)
    await updateVocabulary(database, analyser, orgId)
    expect(await vocabulary(shelf)).toEqual(['drawer 1', 'new 1'])
  })

  test('concurrent indexing neither deadlocks nor miscounts words', async () => {
    const shelf = await Shelf.create()
    const words = ['oak', 'ash', 'elm', 'fir', 'yew']
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        shelf.add({ title: words.toSorted(() => (n % 2 ? 1 : -1)).join(' ') }, { title: words.toReversed().join(' ') }),
      ),
    )
    expect(await vocabulary(shelf)).toEqual(['ash 20', 'elm 20', 'fir 20', 'oak 20', 'yew 20'])
  })
})

describe('any language', () => {
  test('texts in languages with a region, without rules or without spaces are found', async () => {
    const shelf = await Shelf.create()
    await shelf.add(
      { title: 'Impressoras', language: 'pt-BR', plain: 'gbcat' },
      { title: 'Cat', language: 'en-GB' },
      { title: 'Принтеры', language: 'uk' },
      { title: 'วิธีทำความสะอาดตู้เย็น', language: 'th' },
      { title: 'إعداد الطابعة', language: 'ar' },
    )
    const find = async (q: string, language?: string) =>
      (await searchArticles(harness.service.database.read, shelf.tenant.orgId, { q, language }, 10, 0)).hits.map(
        ({ title }) => title,
      )
    expect(await find('impressora')).toEqual(['Impressoras'])
    expect(await find('impressora', 'pt-BR')).toEqual(['Impressoras'])
    expect(await find('cats', 'en-GB')).toEqual(['Cat'])
    expect(await find('cats', 'pt-BR')).toEqual([])
    expect(await find('принтеры')).toEqual(['Принтеры'])
    expect(await find('ตู้เย็น')).toEqual(['วิธีทำความสะอาดตู้เย็น'])
    expect(await find('طابعة')).toEqual(['إعداد الطابعة'])
  })
})

describe('hostile input', () => {
  const HOSTILE = [
    '"',
    '*',
    'a*',
    'NEAR(a b)',
    'title:oak',
    '^oak',
    '(oak',
    'oak AND',
    'oak OR NOT ash',
    "oak' & 'ash",
    '!oak',
    'oak <-> ash',
    ':* | \\',
    '🏷️👩‍👩‍👧‍👦',
    '…!?',
    'a'.repeat(200),
    '日'.repeat(200),
    'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(3),
    "'; drop table articles; --",
    '⑴ ㈠ ½ ﷺ ŉ',
  ]

  test('treats operators, symbols and very long words as plain text', async () => {
    const shelf = await Shelf.create()
    await shelf.add(...HOSTILE.map((q) => ({ title: 'Oak', plain: q })))
    for (const q of HOSTILE) {
      const { data } = await shelf.search(q.slice(0, 200))
      for (const { snippet } of data) expect(snippet.replace(/<\/?mark>/g, ''), q).not.toMatch(/[<>"']/)
    }
  })

  testOnce('escapes attacks in titles, texts and queries', async () => {
    const shelf = await Shelf.create()
    const storable = ATTACKS.map((attack) => attack.replaceAll('\0', ''))
    await shelf.add(...storable.map((attack) => ({ title: attack, plain: `Oak. ${attack}` })))
    const { orgId } = shelf.tenant
    const { read } = harness.service.database
    for (const q of ['oak', 'attacked window script onerror', ...storable.filter((_, n) => n % 5 === 0)]) {
      // The first finds all of them. What the others find differs only in what is marked.
      const { hits } = await searchArticles(read, orgId, { q: q.slice(0, 200) }, q === 'oak' ? 1000 : 20, 0)
      if (q === 'oak') expect(hits).toHaveLength(storable.length)
      const markup = hits.flatMap(({ snippet, marked_title }) => [snippet, marked_title])
      const isDangerous = (text: string) => /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/.test(text.replace(/<\/?mark>/g, ''))
      expect(markup.filter(isDangerous)).toEqual([])
    }
  })

  testOnce.each(['', ' ', 'x'.repeat(201)])('rejects the query "%s"', async (q) => {
    const acme = await harness.createTenant()
    const reply = await acme.get(`/v1/articles/search?q=${encodeURIComponent(q)}`)
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_query' } })
    expect((await acme.get('/v1/articles/search')).body.error).toBe('invalid_query')
    const malformed = await acme.get('/v1/articles/search?q=x&knowledge_base_id=1')
    expect(malformed).toMatchObject({ status: 400, body: { error: 'invalid_id' } })
  })
})

test('every statement of a search uses an index', async () => {
  const shelf = await Shelf.create()
  await shelf.add({ title: 'Upholstery of chairs' }, { title: 'Chairs', plain: 'Oak' })
  const statements = await harness.statementsOf(async () => {
    await shelf.search('chairs upholstry')
    await shelf.search('chai')
    await shelf.search('chairs', `&knowledge_base_id=${shelf.base}`)
  })
  const { database } = harness.service
  const own = statements.filter(({ sql }) => sql.includes('article_search'))
  expect(own.length).toBeGreaterThan(8)
  for (const statement of own) {
    const plan = await explain(database, statement)
    expect(plan).not.toMatch(/SCAN (?!.*(VIRTUAL TABLE|CONSTANT|subquery|longer|wanted))|Seq Scan/)
    // Statements with given IDs or keys must start from them, not from all rows of the organisation.
    if (database.engine === 'sqlite' && statement.sql.includes('"wanted"."value"')) {
      expect(plan).toContain('USING INTEGER PRIMARY KEY (rowid=?)')
    }
  }
  expect(own.some(({ sql }) => sql.includes('article_search_misspellings'))).toBe(true)
})

test.runIf(inject('engine') === 'postgres')('PostgreSQL uses the term index even for few rows', async () => {
  const plan = await harness.service.database.kysely.transaction().execute(async (tx) => {
    const { rows: functions } = await sql<{ settings: string[]; source: string }>`
      select proconfig as settings, prosrc as source from pg_proc where proname = 'article_search_find'`.execute(tx)
    const [{ settings, source }] = functions as [(typeof functions)[number]]
    for (const setting of settings) await sql.raw(`set local ${setting}`).execute(tx)
    const query = /return query (.*); end/s.exec(source)?.[1] ?? ''
    const bound = query.replace('wanted', `'${newId()}'`).replace('expressions', `'["x"]'`).replace('most', '1')
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(bound)}`.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Bitmap Index Scan on article_search_texts_terms_idx')
})
