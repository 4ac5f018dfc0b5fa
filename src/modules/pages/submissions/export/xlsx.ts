import { crc32, createDeflateRaw } from 'node:zlib'
import { Zip, type ZipInputFile, ZipPassThrough } from 'fflate'
import type { Cell } from './export-table.ts'

/** What a sheet can hold, without the headings. */
export const XLSX_ROWS_MAX = 1_048_575
/** A program refuses a file with a longer cell. */
const CELL_LENGTH_MAX = 32_767

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts of a workbook with one sheet, apart from the sheet. */
const PARTS: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="Submissions" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}

/** A workbook with one sheet. Texts are plain strings in it, and never formulas. */
export async function* toXlsx(table: AsyncIterable<readonly Cell[][]>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  const taken = () => chunks.splice(0)
  for (const [name, content] of Object.entries(PARTS)) {
    const part = new ZipPassThrough(name)
    zip.add(part)
    part.push(Buffer.from(XML + content), true)
  }
  const sheet = new DeflatedPart('xl/worksheets/sheet1.xml')
  zip.add(sheet)
  for await (const text of toSheet(table)) {
    await sheet.write(text)
    yield* taken()
  }
  await sheet.end()
  zip.end()
  yield* taken()
}

async function* toSheet(table: AsyncIterable<readonly Cell[][]>): AsyncGenerator<string> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetData>`
  for await (const rows of table) yield rows.map((cells) => `<row>${cells.map(toXlsxCell).join('')}</row>`).join('')
  yield '</sheetData></worksheet>'
}

function toXlsxCell(cell: Cell): string {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  if (cell === '') return '<c/>'
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell.slice(0, CELL_LENGTH_MAX))}</t></is></c>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** XML 1.0 has no way to write most control characters. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>\r]/g, (character) => ENTITIES[character] ?? '')

/** Compresses in the threads of Node, because the library would do it on the thread that serves requests. */
class DeflatedPart implements ZipInputFile {
  readonly filename: string
  readonly compression = 8
  ondata: NonNullable<ZipInputFile['ondata']> = () => {}
  size = 0
  crc = 0
  readonly #deflate = createDeflateRaw({ level: 4 })

  constructor(name: string) {
    this.filename = name
    this.#deflate.on('data', (chunk: Buffer<ArrayBuffer>) => this.ondata(null, chunk, false))
  }

  /** Resolves when the text was compressed, apart from what waits to be compressed with the next one. */
  write(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    this.size += bytes.length
    this.crc = crc32(bytes, this.crc)
    return new Promise((resolve, reject) => this.#deflate.write(bytes, (error) => (error ? reject(error) : resolve())))
  }

  async end(): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => this.#deflate.once('end', resolve).once('error', reject))
    this.#deflate.end()
    await ended
    this.ondata(null, new Uint8Array(), true)
  }
}
