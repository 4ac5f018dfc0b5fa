import { expect, test } from 'vitest'
import type { Context } from '../../../platform/http/index.ts'
import { PictureQuery } from './contract.ts'
import { imageHandlers } from './service.ts'

test.each([
  ['qr', 1273],
  ['datamatrix', 1304],
] as const)('a URL that is too long for the largest %s is an invalid query', async (symbol, charactersMax) => {
  const makeImage = async (characters: number) => {
    const url = 'https://id.acme.example/'.padEnd(characters, 'x')
    const { getImage } = imageHandlers(async () => ({ url, owner: {}, symbol }))
    const query = PictureQuery.parse({ ecl: 'H', format: 'svg' })
    const { make } = await getImage({} as Context, { params: { id: '' }, query, accept: undefined })
    return make
  }
  expect((await makeImage(charactersMax))().toString()).toContain('<svg')
  expect(await makeImage(charactersMax + 1)).toThrow(expect.objectContaining({ code: 'invalid_query' }))
})
