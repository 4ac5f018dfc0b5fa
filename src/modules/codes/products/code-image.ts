import { ApiError, invalidQuery } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { ProductPictureQuery } from '../code-images/contract.ts'
import { codeFileName, type ImageSource } from '../code-images/index.ts'
import { digitalLinkPath, isAiValue } from '../gs1/index.ts'
import { findLinkBase, type ProductSettings, requireProduct } from './service.ts'

/** GS1 writes them in this order. */
const QUALIFIERS = [
  ['cpv', '22'],
  ['lot', '10'],
  ['serial', '21'],
] as const

/** What the image of a product's code shows: its Digital Link, and the same in figures that people can read. */
export async function getCodeImageSource(
  ctx: Context,
  id: string,
  query: ProductPictureQuery,
  settings: ProductSettings,
): Promise<ImageSource> {
  requireQualifiers(query)
  const { gtin, name } = await requireProduct(ctx.read, ctx.orgId, id)
  if (gtin === null)
    throw new ApiError('unprocessable', 'Give the product a gtin first.', { details: { field: 'gtin' } })
  const { cpv = null, lot = null, serial = null, symbol, text } = query
  const baseUrl = await findLinkBase(ctx.read, ctx.orgId, settings)
  const qualifiers = QUALIFIERS.filter(([name]) => query[name] !== undefined)
  return {
    url: baseUrl + digitalLinkPath(gtin, { cpv, lot, serial }),
    owner: { product_id: id, gtin },
    symbol,
    fileName: codeFileName(name, [gtin, ...qualifiers.map(([name]) => query[name])].join('-')),
    text: text ? [`(01) ${gtin}`, ...qualifiers.map(([name, ai]) => `(${ai}) ${query[name]}`)] : undefined,
  }
}

function requireQualifiers(query: ProductPictureQuery): void {
  const problems: Record<string, string[]> = {}
  for (const [name, ai] of QUALIFIERS) {
    const value = query[name]
    if (value === undefined) continue
    if (!isAiValue(ai, value)) problems[name] = ['Must be 1 to 20 letters, digits or any of !"%&\'()*+,-./:;<=>?_']
    // Browsers remove these from a path, even if they are escaped.
    else if (value === '.' || value === '..') problems[name] = ['Must not be only one or two dots']
  }
  if (Object.keys(problems).length > 0) throw invalidQuery(problems)
}
