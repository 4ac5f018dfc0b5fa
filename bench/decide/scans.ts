import type { Facts } from '../../src/modules/codes/decisions/index.ts'
import { HOUR_MS, toMs } from '../../src/platform/clock/index.ts'

const pick = <Value>(values: readonly Value[], n: number): Value => values[n % values.length] as Value

const LANGUAGES = ['de-DE,de;q=0.9,en;q=0.8', 'en-GB,en;q=0.9', 'de', 'fr-FR,fr;q=0.9', 'it', 'pl-PL,pl;q=0.9,en;q=0.8']
const FROM_MS = toMs('2026-11-16T00:00:00Z')

/** Different scans of a month, of which one in ten or so matches a rule. The headers are different objects, as in requests. */
export const makeScans = (count: number): Facts[] =>
  Array.from({ length: count }, (_, n) => {
    const scanNumber = 3 + n * 7
    const material = pick(['Oak 3', 'Pine', null], n)
    return {
      atMs: FROM_MS + n * 7 * HOUR_MS + n * 60_000,
      device: pick(['mobile', 'mobile', 'mobile', 'tablet', 'desktop'], n),
      os: pick(['iOS', 'Android', 'Android', 'Windows'], n),
      acceptLanguage: Buffer.from(pick(LANGUAGES, n)).toString(),
      country: pick(['DE', 'DE', 'PL', 'FR', 'AT'], n),
      region: pick(['Bavaria', 'Berlin', 'Hesse'], n),
      query: pick<Record<string, string>>([{}, {}, { utm_source: 'label' }, { table: '7' }], n),
      via: pick(['print', 'print', 'nfc'], n),
      domain: pick([null, 'menu.acme.com'], n),
      lot: pick([null, null, 'L2026-11'], n),
      serial: null,
      visitor: n.toString(16).padStart(16, '0'),
      salt: 'salt',
      scanNumber: () => scanNumber,
      property: () => material,
    }
  })
