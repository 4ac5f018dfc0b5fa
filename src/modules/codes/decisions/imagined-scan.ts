import { toMs } from '../../../platform/clock/index.ts'
import type { ImaginedScan } from './contract.ts'
import { type Facts, PRINT } from './facts.ts'

/** What the caller knows, unless the imagined scan says something else: the time, and the properties of the scanned thing. */
export type KnownFacts = Pick<Facts, 'atMs' | 'salt'> & Partial<Facts>

/** The facts of a scan that did not happen. */
export function factsOf(scan: ImaginedScan, known: KnownFacts): Facts {
  const { properties, scan_number: scanNumber } = scan
  return {
    device: null,
    os: null,
    acceptLanguage: undefined,
    country: null,
    region: null,
    query: {},
    via: PRINT,
    domain: null,
    lot: null,
    serial: null,
    visitor: undefined,
    scanNumber: () => undefined,
    property: () => undefined,
    ...known,
    ...(scan.at !== undefined && { atMs: toMs(scan.at) }),
    ...(scan.language !== undefined && { acceptLanguage: scan.language }),
    ...pick(scan, ['device', 'os', 'country', 'region', 'query', 'via', 'domain', 'lot', 'serial', 'visitor']),
    ...(scanNumber !== undefined && { scanNumber: () => scanNumber }),
    ...(properties !== undefined && {
      property: (key: string) => (Object.hasOwn(properties, key) ? (properties[key] ?? null) : null),
    }),
  }
}

function pick<Sent extends object, Key extends keyof Sent>(sent: Sent, keys: readonly Key[]) {
  const set = keys.filter((key) => sent[key] !== undefined).map((key) => [key, sent[key]])
  return Object.fromEntries(set) as { [Name in Key]?: NonNullable<Sent[Name]> }
}
