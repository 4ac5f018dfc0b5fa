import { expect, test } from 'vitest'
import type { Context } from '../../../platform/http/index.ts'
import { PictureQuery } from './contract.ts'
import { imageHandlers } from './service.ts'

const logos = { read: () => Promise.reject(new Error('There is no logo')) }

test.each([
  ['qr', 1273],
  ['datamatrix', 1304],
] as const)('a URL that is too long for the largest %s is an invalid query', async (symbol, charactersMax) => {
  const makeImage = async (characters: number) => {
    const url = 'https://id.acme.example/'.padEnd(characters, 'x')
    const { getImage } = imageHandlers(logos, async () => ({ url, owner: {}, fileName: 'code', symbol }))
    const query = PictureQuery.parse({ ecl: 'H', format: 'svg' })
    const { make } = await getImage({} as Context, { params: { id: '' }, query, accept: undefined })
    return make
  }
  expect(String(await (await makeImage(charactersMax))())).toContain('<svg')
  await expect((await makeImage(charactersMax + 1))()).rejects.toMatchObject({ code: 'invalid_query' })
})
