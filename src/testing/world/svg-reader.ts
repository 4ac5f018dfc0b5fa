import sharp from 'sharp'
import { afterAll, beforeAll } from 'vitest'

const SVG_READER = { operation: ['VipsForeignLoadSvg'] }

/** Lets the tests of a file read SVG. Other test files of the same process may have switched it off, as the service does. */
export function useSvgReader(): void {
  beforeAll(() => sharp.unblock(SVG_READER))
  afterAll(() => sharp.block(SVG_READER))
}
