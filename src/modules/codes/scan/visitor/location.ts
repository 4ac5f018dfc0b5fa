import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { type CityResponse, open, type Reader } from 'maxmind'
import { OperatorError } from '../../../../platform/errors/operator-error.ts'

interface Location {
  readonly country: string | null
  readonly region: string | null
  readonly city: string | null
}

/** The address is a function, so that it is only determined when it is looked up. */
export type Locator = (headers: IncomingHttpHeaders, address: () => string) => Location

interface LocatorSettings {
  /** The request header in which the proxy sends the country, such as `cf-ipcountry`. */
  countryHeader?: string | undefined
  /** The path of a database in MaxMind's format. */
  geoipFile?: string | undefined
}

const NOWHERE: Location = { country: null, region: null, city: null }
/** Sent by proxies for "unknown" and for Tor. */
const NO_COUNTRY = new Set(['XX', 'T1'])

/**
 * Locates visitors by header and file. The header takes precedence. If the file names another country, its region and
 * city are left out, because they would lie in the wrong country.
 */
export async function createLocator({ countryHeader, geoipFile }: LocatorSettings): Promise<Locator> {
  const header = countryHeader?.toLowerCase()
  const reader = geoipFile === undefined ? undefined : await openFile(geoipFile)
  return (headers, address) => {
    const country = header === undefined ? null : readCountry(headers[header])
    const found = reader === undefined ? NOWHERE : lookUp(reader, address())
    if (country === null || country === found.country) return found
    return { ...NOWHERE, country }
  }
}

function readCountry(value: string | string[] | undefined): string | null {
  if (typeof value !== 'string' || !/^[A-Za-z]{2}$/.test(value)) return null
  const country = value.toUpperCase()
  return NO_COUNTRY.has(country) ? null : country
}

function lookUp(reader: Reader<CityResponse>, address: string): Location {
  // A dual-stack socket shows an IPv4 address as `::ffff:192.0.2.1`, which not every file contains.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const version = isIP(plain)
  // The reader checks neither, and would return an unrelated record for the first bits of the address.
  if (version === 0 || version > reader.metadata.ipVersion) return NOWHERE
  try {
    const found = reader.get(plain)
    return {
      country: found?.country?.iso_code ?? null,
      region: found?.subdivisions?.[0]?.names?.en ?? null,
      city: found?.city?.names?.en ?? null,
    }
  } catch {
    // A damaged record must not fail the scan.
    return NOWHERE
  }
}

async function openFile(file: string): Promise<Reader<CityResponse>> {
  try {
    return await open<CityResponse>(file)
  } catch (error) {
    throw new OperatorError(
      `GEOIP_FILE: ${file} cannot be read as a MaxMind database (${(error as Error).message}). ` +
        'Give the path of an .mmdb file such as GeoLite2-City.mmdb, or unset GEOIP_FILE.',
      { cause: error },
    )
  }
}
