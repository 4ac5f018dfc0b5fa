import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** An image file or raw pixels. */
type Picture = Uint8Array | { data: Uint8ClampedArray; width: number; height: number }

/** Call this before `readCode`. Without it the scanner would download its code from the network. */
export async function loadScanner(): Promise<void> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true })
}

/** The extra attempts for rotated, inverted or damaged codes. Ours must not need them. */
const NO_EXTRA_ATTEMPTS = { tryHarder: false, tryRotate: false, tryInvert: false }

export async function readCode(picture: Picture): Promise<{ text: string; ecl: string } | undefined> {
  const [found] = await readBarcodes(picture as Uint8Array, { formats: ['QRCode'], ...NO_EXTRA_ATTEMPTS })
  return found && { text: found.text, ecl: found.ecLevel }
}

export async function readDataMatrix(picture: Picture): Promise<string | undefined> {
  const [found] = await readBarcodes(picture as Uint8Array, { formats: ['DataMatrix'], ...NO_EXTRA_ATTEMPTS })
  return found?.text
}
