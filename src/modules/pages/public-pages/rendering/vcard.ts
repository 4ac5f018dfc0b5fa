import type { BlockOf } from '../../blocks/index.ts'

const LINE_BYTES_MAX = 75

/** A contact as a file that phones can save (RFC 6350). */
export function vcard(contact: BlockOf<'contact'>['config'], jobTitle: string): string {
  const { name, organisation, phone, email, website, address } = contact
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `FN:${escaped(name)}`,
    `N:${escaped(name)};;;;`,
    organisation !== null && `ORG:${escaped(organisation)}`,
    jobTitle !== '' && `TITLE:${escaped(jobTitle)}`,
    phone !== null && `TEL:${escaped(phone)}`,
    email !== null && `EMAIL:${escaped(email)}`,
    website !== null && `URL:${website.replace(/[\r\n]/g, '')}`,
    // The parts of an address: box, extension, street, town, region, code, country. We only know the whole.
    address !== null && `ADR:;;${escaped(address)};;;;`,
    'END:VCARD',
  ]
  return lines.flatMap((line) => (line === false ? [] : [`${folded(line)}\r\n`])).join('')
}

const escaped = (text: string): string =>
  text
    .replace(/[\\,;]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')

/** A long line continues on the next one after a space. Characters of several bytes stay whole. */
function folded(line: string): string {
  let text = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > LINE_BYTES_MAX) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += size
  }
  return text
}
