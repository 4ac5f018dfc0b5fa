const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** The smallest files that are recognised, by their extension in URLs. */
export const SAMPLES = {
  jpg: { type: 'image/jpeg', content: latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xd9') },
  png: {
    type: 'image/png',
    content: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  },
  webp: { type: 'image/webp', content: latin1('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0') },
  gif: { type: 'image/gif', content: latin1('GIF89a\x01\0\x01\0\x80\0\0\0\0\0;') },
  avif: { type: 'image/avif', content: latin1('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf') },
  ico: { type: 'image/x-icon', content: latin1('\0\0\x01\0\x01\0\x01\x01\0\0\x01\0\x20\0\x30\0\0\0\x16\0\0\0') },
  pdf: { type: 'application/pdf', content: latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n') },
  mp4: { type: 'video/mp4', content: latin1('\0\0\0\x18ftypisom\0\0\x02\0isommp41') },
  webm: { type: 'video/webm', content: latin1('\x1aE\xdf\xa3\x87\x42\x82\x84webm\x18S\x80g\x80') },
  mp3: { type: 'audio/mpeg', content: latin1(`ID3\x03\0\0\0\0\0\0\xff\xfb\x90\0${'\0'.repeat(500)}`) },
} as const

let made = 0

/** An image that no test has used before. */
export const newGif = (): Buffer => Buffer.concat([SAMPLES.gif.content, Buffer.from(`${process.pid}-${++made}`)])
