import { unprocessable } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { getOrganisation } from '../../account/organisations/index.ts'
import { digitalLinkPath } from '../gs1/index.ts'
import { requireObject } from '../objects/index.ts'
import { requireProduct } from '../products/index.ts'
import { requireCode } from '../qr-codes/index.ts'
import type { SimulationRequest } from '../simulations/index.ts'
import { parseScanAddress, type ScanAddress } from './address.ts'
import { parseCompressed } from './gs1/compressed.ts'

export interface SimulatedAddress {
  address: ScanAddress
  host: string
  search: string
}

/** The address that a simulated scan is about. */
export async function findSimulated(
  ctx: Context,
  request: SimulationRequest,
  publicUrl: string,
): Promise<SimulatedAddress> {
  const url = await findUrl(ctx, request, publicUrl)
  const own = new URL(publicUrl).host
  const address = parseScanAddress(url.pathname, () => url.host === own) ?? parseCompressed(url.pathname)?.address
  if (address === undefined) throw unprocessable('address', request.address, 'this is not the address of a code')
  return { address, host: url.hostname, search: url.search }
}

async function findUrl(ctx: Context, request: SimulationRequest, publicUrl: string): Promise<URL> {
  const { address, qr_code_id, object_id, product_id, lot = null, serial = null } = request
  if (address !== undefined) {
    if (URL.canParse(address, publicUrl)) return new URL(address, publicUrl)
    throw unprocessable('address', address, 'this is not an address')
  }
  if (qr_code_id !== undefined) {
    const { public_slug, domain } = await requireCode(ctx.read, ctx.orgId, qr_code_id)
    return new URL(`/${public_slug}`, domain === null ? publicUrl : `https://${domain}`)
  }
  if (object_id !== undefined) {
    const { public_slug } = await requireObject(ctx.read, ctx.orgId, object_id)
    return new URL(`/o/${public_slug}`, publicUrl)
  }
  const { gtin } = await requireProduct(ctx.read, ctx.orgId, product_id as string)
  if (gtin === null) throw unprocessable('product_id', product_id, 'a product without a gtin cannot be scanned')
  const { slug } = await getOrganisation(ctx.read, ctx.orgId)
  return new URL(`/g/${slug}${digitalLinkPath(gtin, { lot, serial })}`, publicUrl)
}
