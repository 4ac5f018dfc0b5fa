/** A message as a mail program shows it. */
export interface ParsedMail {
  /** The keys are lower-case names. A repeated header is a list of all its values. */
  headers: Map<string, string[]>
  subject: string
  text: string
  html: string
}

/** Reads the two bodies of a message that our mailer made. It is not a full parser. */
export function parseMail(raw: string): ParsedMail {
  const { headers, body } = split(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')))
  const bodyOf = (type: string) => {
    const part = parts.find(({ headers: own }) => own.get('content-type')?.[0]?.startsWith(type))
    return part === undefined ? '' : decodeBody(part.body, part.headers.get('content-transfer-encoding')?.[0])
  }
  return {
    headers,
    subject: decodeWords(headers.get('subject')?.[0] ?? ''),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
  }
}

function split(raw: string): { headers: Map<string, string[]>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string[]>()
  for (const line of raw
    .slice(0, Math.max(end, 0))
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [name = '', ...value] = line.split(':')
    const values = headers.get(name.toLowerCase()) ?? []
    headers.set(name.toLowerCase(), [...values, value.join(':').trim()])
  }
  return { headers, body: raw.slice(end + 4) }
}

const decodeQuoted = (text: string): string => {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

function decodeBody(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  const text = encoding === 'quoted-printable' ? decodeQuoted(body) : body
  return text.replaceAll('\r\n', '\n')
}

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : decodeQuoted(word.replaceAll('_', ' ')),
    )
