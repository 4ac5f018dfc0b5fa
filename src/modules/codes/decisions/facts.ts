/**
 * What is known about a scan. Null of the visitor's facts, and undefined, mean that it is **unknown**. What the scanned address
 * or thing does not have is known to be absent.
 */
export interface Facts {
  atMs: number
  device: string | null
  os: string | null
  acceptLanguage: string | undefined
  country: string | null
  region: string | null
  query: Readonly<Record<string, string>>
  /** `print` if the address does not say it. */
  via: string
  /** Null on our own host. */
  domain: string | null
  lot: string | null
  serial: string | null
  /** A hash that is valid for one day. */
  visitor: string | undefined
  /** The key of the hash that splits visitors. */
  salt: string
  /** The number of this scan, beginning with 1. */
  scanNumber(of: 'code' | 'object'): number | undefined
  /** Null if the scanned thing does not have the property. */
  property(key: string): string | null | undefined
}

export const PRINT = 'print'
