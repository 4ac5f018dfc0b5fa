import { z } from 'zod'

const LENGTH_MAX = 253

/** Returns the name as browsers send it: in lower case and ASCII. Undefined if it is no name of a host in the DNS. */
function canonicalHost(name: string): string | undefined {
  // The URL parser would cut the text at these characters.
  if (/[\s/\\?#@:%]/.test(name)) return undefined
  const host = URL.parse(`http://${name}`)?.hostname
  // A name of numbers alone would be an IP address.
  return host !== undefined && host.length <= LENGTH_MAX && /\.[a-z][a-z0-9-]*$/.test(host) ? host : undefined
}

export const HostName = z
  .string()
  .refine((name) => canonicalHost(name) !== undefined, { error: 'Must be a domain name such as menu.acme.com' })
  .overwrite((name) => canonicalHost(name) ?? name)
  .meta({ description: 'A domain name.', maxLength: LENGTH_MAX, examples: ['menu.acme.com'] })
