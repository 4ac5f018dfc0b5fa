import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** What a scanner takes: a file, or pixels. */
type Picture = Uint8Array | { data: Uint8ClampedArray; width: number; height: number }

/** Before the first picture is read. The scanner's own way would be to fetch its code from the network. */
export async function loadScanner(): Promise<void> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true })
}

/** Without the tries that a scanner can add for rotated, inverted or damaged codes: ours must not need them. */
export async function readCode(picture: Picture): Promise<{ text: string; ecl: string } | undefined> {
  const patience = { tryHarder: false, tryRotate: false, tryInvert: false }
  const [found] = await readBarcodes(picture as Uint8Array, { formats: ['QRCode'], ...patience })
  return found && { text: found.text, ecl: found.ecLevel }
}
