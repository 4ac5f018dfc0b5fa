import type { LookupFunction } from 'node:net'
import { OutboundError } from './outbound-error.ts'

/**
 * The look-up that a socket makes as it connects. It asks once and hands over exactly what was checked, so there is
 * no second answer that could differ from the first. One address that may not be dialled refuses them all:
 * a name that leads both outside and inside is an attack or a mistake, and the next answer would lead inside.
 *
 * Only for sockets that choose among families themselves (`autoSelectFamily`): those want all addresses at once.
 */
export function guardedLookup(
  resolve: (name: string) => Promise<string[]>,
  mayDial: (address: string) => boolean,
): LookupFunction {
  const find = async (name: string): Promise<string[]> => {
    const addresses = await resolve(name).catch((cause) => {
      throw new OutboundError('dns', `The name ${name} could not be looked up`, { cause })
    })
    if (addresses.length === 0) throw new OutboundError('dns', `The name ${name} has no address`)
    if (addresses.every(mayDial)) return addresses
    throw new OutboundError('refused_address', `The name ${name} leads to an address that is not public`)
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
