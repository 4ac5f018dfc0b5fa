import type { LookupFunction } from 'node:net'
import { OutboundError } from './outbound-error.ts'

/**
 * Returns a DNS lookup for sockets. It resolves once and returns exactly the addresses that it checked, so DNS
 * rebinding cannot swap them afterwards. One forbidden address rejects all of them: a name with both public and private
 * addresses is an attack or a mistake, and the next connection could go to the private one.
 *
 * Only for sockets with `autoSelectFamily`, which expect all addresses at once.
 */
export function guardedLookup(
  resolve: (name: string) => Promise<string[]>,
  mayDial: (address: string, name: string) => boolean,
): LookupFunction {
  const find = async (name: string): Promise<string[]> => {
    const addresses = await resolve(name).catch((cause) => {
      throw new OutboundError('dns', `The host ${name} could not be found in DNS`, { cause })
    })
    if (addresses.length === 0) throw new OutboundError('dns', `The host ${name} has no address in DNS`)
    if (addresses.every((address) => mayDial(address, name))) return addresses
    throw new OutboundError('refused_address', `The host ${name} resolves to an address that is not public`)
  }
  return (name, _options, done) => {
    find(name).then(
      (addresses) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
      (error) => done(error, []),
    )
  }
}
