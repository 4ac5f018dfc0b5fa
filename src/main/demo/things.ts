import type { DestinationRef } from '../../modules/codes/destinations/index.ts'
import { ANY } from '../../modules/codes/gs1/index.ts'
import { createObject } from '../../modules/codes/objects/index.ts'
import { type ProductLinkList, replaceLinks } from '../../modules/codes/product-links/index.ts'
import { createProduct, type ProductSettings } from '../../modules/codes/products/index.ts'
import { codeOwner, createCodes, type QrCode, updateCode } from '../../modules/codes/qr-codes/index.ts'
import { createGroup } from '../../modules/codes/qr-groups/index.ts'
import { type RuleSettings, RulesInput, ruleHandlers } from '../../modules/codes/rules/index.ts'
import type { StoredScan } from '../../modules/codes/scans/index.ts'
import { codeDomains } from '../../modules/domains/custom-domain-routes/index.ts'
import { isCentrePart } from '../../modules/knowledge/public-articles/index.ts'
import { DAY_MS, timestamp, toMs } from '../../platform/clock/index.ts'
import { Updated } from '../../platform/contract/index.ts'
import { type Context, parsePayload } from '../../platform/http/index.ts'
import { cafeRules } from './cafe-rules.ts'
import { demoDomain } from './organisation.ts'

/** Something that people scan, and how often compared with others. */
export interface Scanned {
  kind: StoredScan['target_kind']
  id: string
  destinationAt(ms: number): DestinationRef
  weight: number
}

export interface Things {
  scanned: Scanned[]
  /** The URL of a code that can be scanned at once. */
  exampleUrl: string
  counts: { qr_groups: number; qr_codes: number; objects: number; products: number }
}

const LABELS = 12
const POSTERS = [
  ['Shop window, Berlin', 9],
  ['Shop window, Vienna', 5],
  ['Shop window, Paris', 7],
  ['Shop window, Amsterdam', 4],
] as const

const OFFICE_MACHINES = [
  ['acme-one-2614-0007', 'Kitchen, ground floor', 'Black', '2026-04-02', 8],
  ['acme-one-2614-0019', 'Kitchen, first floor', 'Steel', '2026-04-02', 6],
  ['acme-one-2620-0103', 'Meeting room', 'Black', '2026-05-18', 3],
  ['acme-one-2631-0042', 'Workshop', 'Red', '2026-08-03', 4],
  ['acme-grind-2622-0311', 'Kitchen, ground floor', 'Black', '2026-06-01', 2],
] as const

/** The prefix 950 is reserved for examples. */
const PRODUCTS = [
  ['9506000140018', 'Acme One', 'Espresso machine with a 1.8 litre tank', 30],
  ['9506000140025', 'Acme Grind', 'Coffee grinder with 40 steps', 12],
  ['9506000140032', 'Acme Pour', 'Kettle with a swan neck, 0.9 litres', 7],
  ['9506000140049', 'Acme descaler', 'Six sachets, enough for a year and a half', 16],
] as const

interface Settings {
  slug: string
  knowledgeBaseId: string
  /** Where people report a fault. */
  pageId: string
  /** Answers owners of the Acme One. */
  chatbotId: string
  publicUrl: string
  products: ProductSettings
}

/** Nobody reads the warnings of a demonstration. */
const NO_WARNINGS: RuleSettings = { knowsCountries: true, addressesOf: async () => [] }

/** A demonstration starts empty, so that everything is new. */
async function resourceOf<Resource>(saved: Promise<Resource | Updated<Resource>>): Promise<Resource> {
  const result = await saved
  return result instanceof Updated ? result.resource : result
}

/** Creates codes in groups, objects and products. Posters get another destination at the time of `recently`. */
export async function createThings(
  ctx: () => Context,
  recently: () => Context,
  { slug, knowledgeBaseId, pageId, chatbotId, publicUrl, products }: Settings,
): Promise<Things> {
  const help: DestinationRef = { type: 'knowledge_base', id: knowledgeBaseId, url: null }
  const faults: DestinationRef = { type: 'page', id: pageId, url: null }
  const assistant: DestinationRef = { type: 'chatbot', id: chatbotId, url: null }
  const website = (path: string): DestinationRef => ({
    type: 'url',
    id: null,
    url: `https://${demoDomain(slug)}/${path}`,
  })
  const settings = { publicUrl, domains: codeDomains(isCentrePart) }
  const scanned: Scanned[] = []
  const note = (kind: Scanned['kind'], id: string, weight: number, destination: DestinationRef = help) =>
    scanned.push({ kind, id, weight, destinationAt: () => destination })

  const machines = await resourceOf(
    createGroup(ctx(), {
      name: 'On the machines',
      description: 'Printed under the drip tray of every Acme One',
      destination: help,
    }),
  )
  const labels = await resourceOf(
    createCodes(ctx(), { count: LABELS, name_prefix: 'Acme One, label', group_id: machines.id }, settings),
  )
  for (const [n, { id }] of labels.data.entries()) note('qr_code', id, 3 + (n % 5))

  const windows = await resourceOf(
    createGroup(ctx(), { name: 'Posters', description: 'In the windows of our dealers' }),
  )
  const posters = await resourceOf(
    createCodes(
      ctx(),
      { items: POSTERS.map(([name]) => ({ name, group_id: windows.id, destination: website('summer') })) },
      settings,
    ),
  )
  const changedAtMs = toMs(recently().now)
  for (const [n, { id }] of posters.data.entries()) {
    await updateCode(recently(), id, { destination: website('winter') }, publicUrl)
    const destinationAt = (ms: number) => website(ms < changedAtMs ? 'summer' : 'winter')
    scanned.push({ kind: 'qr_code', id, destinationAt, weight: POSTERS[n]?.[1] ?? 1 })
  }

  // From the time before Waymark.
  const printedBefore = { scans: 412, created_at: timestamp(toMs(ctx().now) - 300 * DAY_MS), from: 'bitly' }
  const packages = await resourceOf(createGroup(ctx(), { name: 'Packages', destination: website('register') }))
  const inserts = await resourceOf(
    createCodes(
      ctx(),
      {
        items: [
          { name: 'Leaflet in the box', group_id: packages.id },
          { name: 'Warranty card', group_id: packages.id, destination: help },
          { name: 'Coffee sample', group_id: packages.id, destination: website('beans'), status: 'inactive' },
          { name: 'Trade fair stand', imported: printedBefore },
          { name: 'Sign in the office kitchen', destination: faults },
          { name: 'Tables of the café', destination: website('cafe') },
        ],
      },
      settings,
    ),
  )
  const [leaflet, card, , , sign, tables] = inserts.data as [QrCode, QrCode, QrCode, QrCode, QrCode, QrCode]
  const replaceRules = ruleHandlers(NO_WARNINGS, () => codeOwner(publicUrl)).replaceRules
  await replaceRules(ctx(), { params: { id: tables.id }, body: parsePayload(RulesInput, cafeRules(slug)) })
  note('qr_code', leaflet.id, 14, website('register'))
  note('qr_code', card.id, 6)
  note('qr_code', sign.id, 2, faults)
  note('qr_code', tables.id, 5, website('cafe'))

  for (const [external_id, location, colour, bought, weight] of OFFICE_MACHINES) {
    const isMachine = external_id.startsWith('acme-one')
    const created = await resourceOf(
      createObject(
        ctx(),
        {
          type: isMachine ? 'espresso-machine' : 'grinder',
          external_id,
          gs1_key: `8004/9506000${external_id.replace('acme-', '').toUpperCase()}`,
          name: `${isMachine ? 'Acme One' : 'Acme Grind'}, ${location.toLowerCase()}`,
          destination: faults,
          properties: Object.entries({ location, colour, bought }).map(([key, value]) => ({ key, value })),
        },
        publicUrl,
      ),
    )
    note('object', created.id, weight, faults)
  }

  const link = { language: 'en', media_type: 'text/html', is_default: false, lot: null, serial: null }
  const links: ProductLinkList = [
    { ...link, link_type: 'gs1:instructions', destination: help, title: 'How to use your Acme One' },
    { ...link, link_type: 'gs1:support', destination: faults, title: 'Report a fault' },
    { ...link, link_type: 'gs1:registerProduct', destination: website('register'), title: 'Register your machine' },
    {
      ...link,
      link_type: 'gs1:registerProduct',
      destination: website('register?serial={serial}'),
      title: 'Register this machine',
      serial: ANY.serial,
    },
    { ...link, link_type: 'gs1:recallStatus', destination: website('recall'), title: 'Check the seal', lot: '2614' },
  ]
  for (const [gtin, name, description, weight] of PRODUCTS) {
    const destination = name === 'Acme One' ? assistant : help
    const { id } = await createProduct(ctx(), { name, gtin, description, destination }, products)
    if (name === 'Acme One') await replaceLinks(ctx(), id, links, { page: 1, page_size: links.length }, products)
    note('product', id, weight, destination)
  }

  const codes = [...labels.data, ...posters.data, ...inserts.data]
  return {
    scanned,
    exampleUrl: card.url,
    counts: {
      qr_groups: 3,
      qr_codes: codes.length,
      objects: OFFICE_MACHINES.length,
      products: PRODUCTS.length,
    },
  }
}
