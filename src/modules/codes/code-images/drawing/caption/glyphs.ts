/**
 * The strokes of our own typeface, as SVG path data. Drawn as shapes, a caption looks the same everywhere and needs no font
 * on the computer that shows or prints it. Capitals are 4 units wide, from 0 to the baseline at 6; descenders end at 8.
 * It has the characters that GS1 allows in values (set 82), and those of European languages in Latin script. Characters that
 * people confuse differ: 0 has a stroke inside, 1 and I have feet, l has a tail.
 */
const GLYPHS: Readonly<Record<string, string>> = {
  ' ': '',
  '!': 'M2 0L2 4M2 5.9L2 6',
  '"': 'M1.2 0L1.2 1.6M2.8 0L2.8 1.6',
  '%': 'M4 0L0 6M.9 0Q1.8 0 1.8 .95Q1.8 1.9 .9 1.9Q0 1.9 0 .95Q0 0 .9 0M3.1 4.1Q4 4.1 4 5.05Q4 6 3.1 6Q2.2 6 2.2 5.05Q2.2 4.1 3.1 4.1',
  '&': 'M4 6L1 1.9Q.2 0 1.7 0Q3.2 0 2.9 1.3Q2.7 2.1 1.2 2.9Q0 3.6 0 4.6Q0 6 1.6 6Q3.5 6 4 3.4',
  "'": 'M2 0L2 1.6',
  '(': 'M2.9 -.6Q1.2 1.2 1.2 3.1Q1.2 5 2.9 6.8',
  ')': 'M1.1 -.6Q2.8 1.2 2.8 3.1Q2.8 5 1.1 6.8',
  '*': 'M2 1L2 5M.3 2L3.7 4M3.7 2L.3 4',
  '+': 'M2 1.2L2 4.8M.2 3L3.8 3',
  ',': 'M2 5.8L2 6Q2 6.9 1.4 7.4',
  '-': 'M.6 3.2L3.4 3.2',
  '.': 'M2 5.9L2 6',
  '/': 'M.4 6.6L3.6 -.4',
  '0': 'M.2 3Q.2 0 2 0Q3.8 0 3.8 3Q3.8 6 2 6Q.2 6 .2 3M1.6 3.7L2.4 2.3',
  '1': 'M.7 1.2L2.2 0L2.2 6M.8 6L3.6 6',
  '2': 'M.3 1.4Q.4 0 2 0Q3.8 0 3.8 1.6Q3.8 2.6 2.8 3.5L.2 6L4 6',
  '3': 'M.3 1Q.8 0 2 0Q3.7 0 3.7 1.45Q3.7 2.9 1.6 2.9Q4 2.9 4 4.45Q4 6 2 6Q.6 6 0 4.9',
  '4': 'M3 6L3 0L0 4.2L4 4.2',
  '5': 'M3.6 0L.6 0L.4 2.8Q1 2.3 2 2.3Q4 2.3 4 4.1Q4 6 2 6Q.6 6 .1 5',
  '6': 'M3.6 .7Q3.1 0 2.2 0Q.1 0 .1 3.6Q.1 6 2.1 6Q4 6 4 4.2Q4 2.5 2.2 2.5Q.5 2.5 .1 4',
  '7': 'M0 0L4 0L1.5 6',
  '8': 'M2 2.9Q.3 2.9 .3 1.45Q.3 0 2 0Q3.7 0 3.7 1.45Q3.7 2.9 2 2.9Q0 2.9 0 4.45Q0 6 2 6Q4 6 4 4.45Q4 2.9 2 2.9',
  '9': 'M.4 5.3Q.9 6 1.8 6Q3.9 6 3.9 2.4Q3.9 0 1.9 0Q0 0 0 1.8Q0 3.5 1.8 3.5Q3.5 3.5 3.9 2',
  ':': 'M2 2.4L2 2.5M2 5.9L2 6',
  ';': 'M2 2.4L2 2.5M2 5.8L2 6Q2 6.9 1.4 7.4',
  '<': 'M3.6 .8L.4 3L3.6 5.2',
  '=': 'M.3 2L3.7 2M.3 4L3.7 4',
  '>': 'M.4 .8L3.6 3L.4 5.2',
  '?': 'M.3 1.3Q.5 0 2 0Q3.7 0 3.7 1.5Q3.7 2.4 2.7 3Q2 3.4 2 4.2M2 5.9L2 6',
  A: 'M0 6L2 0L4 6M.7 4L3.3 4',
  B: 'M0 0L0 6L2.2 6Q4 6 4 4.45Q4 2.9 2.2 2.9L0 2.9M2.2 2.9Q3.6 2.9 3.6 1.45Q3.6 0 2.2 0L0 0',
  C: 'M4 1.1Q3.5 0 2.2 0Q0 0 0 3Q0 6 2.2 6Q3.5 6 4 4.9',
  D: 'M0 0L0 6L1.5 6Q4 6 4 3Q4 0 1.5 0L0 0',
  E: 'M3.8 0L0 0L0 6L3.8 6M0 2.9L3.2 2.9',
  F: 'M3.8 0L0 0L0 6M0 2.9L3.2 2.9',
  G: 'M3.9 1.1Q3.4 0 2.1 0Q0 0 0 3Q0 6 2.1 6Q4 6 4 4.2L4 3.3L2.3 3.3',
  H: 'M0 0L0 6M4 0L4 6M0 2.9L4 2.9',
  I: 'M.8 0L3.2 0M2 0L2 6M.8 6L3.2 6',
  J: 'M1.4 0L3.6 0L3.6 4Q3.6 6 1.9 6Q.4 6 .2 4.6',
  K: 'M0 0L0 6M3.9 0L0 3.6M1.3 2.5L4 6',
  L: 'M.2 0L.2 6L3.9 6',
  M: 'M0 6L0 0L2 3.4L4 0L4 6',
  N: 'M0 6L0 0L4 6L4 0',
  O: 'M0 3Q0 0 2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3',
  P: 'M0 6L0 0L2.3 0Q4 0 4 1.7Q4 3.4 2.3 3.4L0 3.4',
  Q: 'M0 3Q0 0 2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3M2.4 4.3L4.1 6.5',
  R: 'M0 6L0 0L2.3 0Q4 0 4 1.65Q4 3.3 2.3 3.3L0 3.3M2.2 3.3L4 6',
  S: 'M3.8 1Q3.3 0 2 0Q.2 0 .2 1.5Q.2 2.7 2 3Q4 3.3 4 4.5Q4 6 2 6Q.5 6 0 4.9',
  T: 'M0 0L4 0M2 0L2 6',
  U: 'M0 0L0 4Q0 6 2 6Q4 6 4 4L4 0',
  V: 'M0 0L2 6L4 0',
  W: 'M0 0L.9 6L2 2L3.1 6L4 0',
  X: 'M.1 0L3.9 6M3.9 0L.1 6',
  Y: 'M0 0L2 3L4 0M2 3L2 6',
  Z: 'M.1 0L3.9 0L.1 6L3.9 6',
  _: 'M0 7.2L4 7.2',
  a: 'M.5 2.5Q1 2 2 2Q3.6 2 3.6 3.5L3.6 6M3.6 3.9L1.9 3.9Q.2 3.9 .2 4.95Q.2 6 1.7 6Q3.3 6 3.6 4.8',
  b: 'M.2 0L.2 6M.2 4Q.2 2 2.1 2Q3.9 2 3.9 4Q3.9 6 2.1 6Q.2 6 .2 4',
  c: 'M3.7 2.7Q3.2 2 2.2 2Q.2 2 .2 4Q.2 6 2.2 6Q3.2 6 3.7 5.3',
  d: 'M3.8 0L3.8 6M3.8 4Q3.8 2 1.9 2Q.1 2 .1 4Q.1 6 1.9 6Q3.8 6 3.8 4',
  e: 'M.2 4L3.8 4Q3.8 2 2 2Q.2 2 .2 4Q.2 6 2.2 6Q3.2 6 3.7 5.2',
  f: 'M3.6 0Q1.7 -.1 1.7 1.8L1.7 6M.4 2.3L3.4 2.3',
  g: 'M3.8 2L3.8 6Q3.8 8 2 8Q.9 8 .4 7.4M3.8 4Q3.8 2 1.9 2Q.1 2 .1 4Q.1 6 1.9 6Q3.8 6 3.8 4',
  h: 'M.3 0L.3 6M.3 4Q.3 2 2.1 2Q3.7 2 3.7 3.8L3.7 6',
  i: 'M.9 2L2.1 2L2.1 6M.8 6L3.4 6M2.1 .1L2.1 .2',
  j: 'M1.2 2L2.6 2L2.6 6.2Q2.6 8 1.2 8Q.6 8 .2 7.7M2.6 .1L2.6 .2',
  k: 'M.3 0L.3 6M3.5 2L.3 4.6M1.5 3.7L3.8 6',
  l: 'M.9 0L2.1 0L2.1 4.5Q2.1 6 3.5 6',
  m: 'M0 2L0 6M0 3.4Q0 2 1.1 2Q2 2 2 3.4L2 6M2 3.4Q2 2 3.1 2Q4 2 4 3.4L4 6',
  n: 'M.3 2L.3 6M.3 4Q.3 2 2.1 2Q3.7 2 3.7 3.8L3.7 6',
  o: 'M.1 4Q.1 2 2 2Q3.9 2 3.9 4Q3.9 6 2 6Q.1 6 .1 4',
  p: 'M.2 2L.2 8M.2 4Q.2 2 2.1 2Q3.9 2 3.9 4Q3.9 6 2.1 6Q.2 6 .2 4',
  q: 'M3.8 2L3.8 8M3.8 4Q3.8 2 1.9 2Q.1 2 .1 4Q.1 6 1.9 6Q3.8 6 3.8 4',
  r: 'M.6 2L.6 6M.6 4.2Q.7 2 2.6 2Q3.3 2 3.7 2.4',
  s: 'M3.5 2.6Q3 2 2 2Q.5 2 .5 3Q.5 3.8 2 4Q3.7 4.2 3.7 5Q3.7 6 2 6Q.7 6 .2 5.3',
  t: 'M1.6 .6L1.6 4.5Q1.6 6 2.9 6Q3.4 6 3.7 5.8M.3 2.2L3.5 2.2',
  u: 'M.3 2L.3 4.2Q.3 6 1.9 6Q3.7 6 3.7 4M3.7 2L3.7 6',
  v: 'M.2 2L2 6L3.8 2',
  w: 'M0 2L.9 6L2 3L3.1 6L4 2',
  x: 'M.3 2L3.7 6M3.7 2L.3 6',
  y: 'M.2 2L2 6M3.8 2L2 6L1.5 7.2Q1.2 8 .3 8',
  z: 'M.4 2L3.6 2L.4 6L3.6 6',
  '#': 'M1.4 .6L.8 5.6M3.2 .6L2.6 5.6M.2 2.2L3.9 2.2M.1 4.2L3.8 4.2',
  $: 'M3.7 1.4Q3.3 .6 2 .6Q.3 .6 .3 1.8Q.3 2.8 2 3Q3.9 3.3 3.9 4.3Q3.9 5.5 2 5.5Q.6 5.5 .1 4.6M2 -.4L2 6.5',
  '@': 'M3 2.2L3 4Q3 4.6 3.4 4.6Q4 4.6 4 3Q4 .4 2 .4Q0 .4 0 3.2Q0 6 2.2 6Q3.2 6 3.6 5.6M3 3.3Q3 2.2 2.1 2.2Q1.2 2.2 1.2 3.4Q1.2 4.6 2.1 4.6Q3 4.6 3 3.3',
  '[': 'M2.9 -.4L1.4 -.4L1.4 6.6L2.9 6.6',
  ']': 'M1.1 -.4L2.6 -.4L2.6 6.6L1.1 6.6',
  '°': 'M1.1 .9Q1.1 0 2 0Q2.9 0 2.9 .9Q2.9 1.8 2 1.8Q1.1 1.8 1.1 .9',
  '·': 'M2 3L2 3.1',
  '–': 'M0 3.2L4 3.2',
  '—': 'M-.6 3.2L4.6 3.2',
  '‘': 'M2.3 0Q1.7 .6 1.7 1.5',
  '’': 'M2.3 0Q2.3 .9 1.7 1.5',
  '“': 'M1.6 0Q1 .6 1 1.5M3.2 0Q2.6 .6 2.6 1.5',
  '”': 'M1.4 0Q1.4 .9 .8 1.5M3 0Q3 .9 2.4 1.5',
  '„': 'M1.4 5.6Q1.4 6.5 .8 7.1M3 5.6Q3 6.5 2.4 7.1',
  '«': 'M1.8 2.4L.3 4L1.8 5.6M3.7 2.4L2.2 4L3.7 5.6',
  '»': 'M.3 2.4L1.8 4L.3 5.6M2.2 2.4L3.7 4L2.2 5.6',
  '¡': 'M2 2L2 2.1M2 3.9L2 7.9',
  '¿': 'M2 2L2 2.1M2 3.7Q2 4.6 1.3 5Q.3 5.6 .3 6.5Q.3 7.9 2 7.9Q3.5 7.9 3.7 6.7',
  '×': 'M.6 1.6L3.4 4.4M3.4 1.6L.6 4.4',
  '€': 'M4 1Q3.5 0 2.5 0Q.8 0 .8 3Q.8 6 2.5 6Q3.5 6 4 5M0 2.3L2.9 2.3M0 3.7L2.9 3.7',
  '£': 'M3.6 1.1Q3.3 0 2.3 0Q1 0 1 1.7L1 4.3Q1 5.4 .2 6L3.8 6M.1 3L2.8 3',
  ß: 'M.3 6L.3 1.7Q.3 0 1.9 0Q3.3 0 3.3 1.2Q3.3 2.2 2.2 2.7Q3.9 3.2 3.9 4.5Q3.9 6 2.3 6Q1.7 6 1.3 5.7',
  æ: 'M.2 2.5Q.5 2 1 2Q2 2 2 3.3L2 4.6Q2 6 1 6Q0 6 0 5Q0 4 1.1 4L4 4Q4 2 3 2Q2 2 2 3.4M2 4.6Q2 6 3.1 6Q3.7 6 4 5.4',
  Æ: 'M4 0L1.8 0L0 6M2 0L2 6L4 6M2 2.9L3.6 2.9M.7 4L2 4',
  œ: 'M2 4Q2 2 1 2Q0 2 0 4Q0 6 1 6Q2 6 2 4L4 4Q4 2 3 2Q2 2 2 4Q2 6 3.1 6Q3.7 6 4 5.4',
  Œ: 'M4 0L1.6 0Q0 0 0 3Q0 6 1.6 6L4 6M2 0L2 6M2 2.9L3.6 2.9',
  ø: 'M.1 4Q.1 2 2 2Q3.9 2 3.9 4Q3.9 6 2 6Q.1 6 .1 4M.3 6.3L3.7 1.7',
  Ø: 'M0 3Q0 0 2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3M.2 6.5L3.8 -.5',
  ł: 'M.9 0L2.1 0L2.1 4.5Q2.1 6 3.5 6M.9 3.6L3.3 2.2',
  Ł: 'M.8 0L.8 6L4 6M-.3 3.8L2.4 2.2',
  đ: 'M3.8 0L3.8 6M3.8 4Q3.8 2 1.9 2Q.1 2 .1 4Q.1 6 1.9 6Q3.8 6 3.8 4M2.2 1L4.6 1',
  Đ: 'M.4 0L.4 6L1.7 6Q4 6 4 3Q4 0 1.7 0L.4 0M-.6 3L1.8 3',
  ð: 'M1.2 .1Q3.9 1 3.9 4Q3.9 6 2 6Q.1 6 .1 4.1Q.1 2.3 1.9 2.3Q3.3 2.3 3.8 3.6M1 1.6L3.2 .2',
  Ð: 'M.4 0L.4 6L1.7 6Q4 6 4 3Q4 0 1.7 0L.4 0M-.6 3L1.8 3',
  þ: 'M.2 0L.2 8M.2 4Q.2 2 2.1 2Q3.9 2 3.9 4Q3.9 6 2.1 6Q.2 6 .2 4',
  Þ: 'M.2 0L.2 6M.2 1.4L2.2 1.4Q3.9 1.4 3.9 3Q3.9 4.6 2.2 4.6L.2 4.6',
  ı: 'M.9 2L2.1 2L2.1 6M.8 6L3.4 6',
  ȷ: 'M1.2 2L2.6 2L2.6 6.2Q2.6 8 1.2 8Q.6 8 .2 7.7',
}

/** Accents, by their combining character. They end 1 unit above a capital, at the height of its top. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': 'M1.2 -2.1L2.5 -1.1',
  '\u0301': 'M2.8 -2.1L1.5 -1.1',
  '\u0302': 'M.9 -1.1L2 -2.1L3.1 -1.1',
  '\u0303': 'M.8 -1.2Q1.4 -2.3 2 -1.7Q2.6 -1.1 3.2 -2.1',
  '\u0304': 'M.9 -1.5L3.1 -1.5',
  '\u0306': 'M.9 -2.1Q1.1 -1.1 2 -1.1Q2.9 -1.1 3.1 -2.1',
  '\u0307': 'M2 -1.6L2 -1.5',
  '\u0308': 'M1.1 -1.6L1.1 -1.5M2.9 -1.6L2.9 -1.5',
  '\u030a': 'M1.3 -1.6Q1.3 -2.3 2 -2.3Q2.7 -2.3 2.7 -1.6Q2.7 -.9 2 -.9Q1.3 -.9 1.3 -1.6',
  '\u030b': 'M1.8 -2.1L.9 -1.1M3.5 -2.1L2.6 -1.1',
  '\u030c': 'M.9 -2.1L2 -1.1L3.1 -2.1',
}

/** Marks below the line, which no letter moves. */
const TAILS: Readonly<Record<string, string>> = {
  '\u0326': 'M2.2 6.9L1.7 7.9',
  '\u0327': 'M2 6.2Q3 6.8 2.7 7.4Q2.3 8 1.3 7.8',
  '\u0328': 'M3 6Q2.1 6.8 2.4 7.4Q2.7 8 3.6 7.6',
}

/** Letters that lose their dot under an accent. */
const DOTLESS: Readonly<Record<string, string>> = { i: 'ı', j: 'ȷ' }

/** Distance from the top of a capital to that of a small letter without an ascender. */
const SMALL_LETTER_DROP = 2

/** The width of a stroke. */
export const STROKE = 0.9

export function glyphOf(character: string): string {
  const glyph = GLYPHS[character] ?? composedGlyph(character)
  if (glyph === undefined) throw new RangeError(`There is no glyph for ${character}.`)
  return glyph
}

/** The characters of a text that the typeface does not have. The text must be normalised (NFC). */
export const withoutGlyph = (text: string): string[] =>
  Array.from(text).filter((character) => (GLYPHS[character] ?? composedGlyph(character)) === undefined)

/** A letter with one accent or tail. */
function composedGlyph(character: string): string | undefined {
  const [letter = '', mark = '', ...more] = character.normalize('NFD')
  const tail = TAILS[mark]
  const accent = ACCENTS[mark]
  const base = GLYPHS[(accent !== undefined && DOTLESS[letter]) || letter]
  if (base === undefined || more.length > 0) return undefined
  if (tail !== undefined) return base + tail
  if (accent === undefined) return undefined
  // Letters with an ascender, such as ď, carry the accent as high as capitals.
  const isLow = /^[a-z]$/.test(letter) && !/^[bdfhklt]$/.test(letter)
  return base + (isLow ? moveDown(accent, SMALL_LETTER_DROP) : accent)
}

const moveDown = (glyph: string, by: number): string =>
  stepsOf(glyph)
    .map(({ pen, points }) => pen + points.map((at, n) => (n % 2 === 1 ? Number((at + by).toFixed(2)) : at)).join(' '))
    .join('')

/** A part of a glyph: where the pen moves (M), a line (L) or a quadratic curve with its control point (Q). */
type Step = { pen: 'M' | 'L'; points: [number, number] } | { pen: 'Q'; points: [number, number, number, number] }

export const stepsOf = (glyph: string): Step[] =>
  Array.from(glyph.matchAll(/([MLQ])([^MLQ]+)/g), ([, pen, numbers = '']) => ({
    pen,
    points: numbers.trim().split(' ').map(Number),
  })) as Step[]
