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

const draw = async (parameters: Record<string, string>): Promise<string> => {
  const { getImage } = imageHandlers(logos, async () => ({ url: 'https://go.acme.com/a', owner: {}, fileName: 'code' }))
  const query = PictureQuery.parse({ format: 'svg', ...parameters })
  return String(await (await getImage({} as Context, { params: { id: '' }, query, accept: undefined })).make())
}

test('the letters of a caption have the height in millimetres that was asked for at any width of the image', async () => {
  for (const [size_mm, caption_mm] of [
    ['30', '2.5'],
    ['200', '2.5'],
    ['50', '1'],
  ] as const) {
    const svg = await draw({ caption: 'Manual', size_mm, caption_mm })
    const unit = Number(/\)scale\(([\d.]+)\)/.exec(svg)?.[1])
    // A capital is six units high, and the image is drawn in tenths of a millimetre.
    expect(unit * 6).toBeCloseTo(Number(caption_mm) * 10, 2)
  }
})

test('larger letters take more lines, and the largest that fit are named', async () => {
  const caption = 'Scan for the manual'
  const heights = await Promise.all(
    ['1', '3'].map(async (caption_mm) =>
      Number(/ height="([\d.]+)mm"/.exec(await draw({ caption, size_mm: '30', caption_mm }))?.[1]),
    ),
  )
  expect(heights[1]).toBeGreaterThan((heights[0] ?? 0) + 6)
  await expect(draw({ caption, size_mm: '30', caption_mm: '4.6' })).rejects.toMatchObject({
    details: {
      fieldErrors: { caption_mm: ['Must be at most 4.5: otherwise the longest word is wider than the image'] },
    },
  })
  expect(await draw({ caption, size_mm: '30', caption_mm: '4.5' })).toContain('<svg')
})

test.each([
  [{ caption: 'Manual', caption_mm: '2' }, 'Must be sent together with size_mm'],
  [{ size_mm: '30', caption_mm: '2' }, 'Must be sent together with caption'],
])('%j lacks something', async (parameters, problem) => {
  await expect(draw(parameters)).rejects.toMatchObject({ details: { fieldErrors: { caption_mm: [problem] } } })
})
