/**
 * The colours of all our pages, by the names that all style sheets use. Text, muted, sign and bad have a contrast of at
 * least 4.5 : 1 to every surface, in both modes. Brands compute their own (brand.ts).
 */
export const LIGHT = {
  // Surfaces, and borders between them.
  page: '#fbf8f3',
  card: '#ffffff',
  line: '#e6ddcf',
  // Texts.
  text: '#2b2723',
  muted: '#5f574f',
  bad: '#9b2c1f',
  /** The accent: links and focus. */
  sign: '#0f766e',
  /** Primary buttons, and the texts on them. */
  fill: '#0f766e',
  ink: '#ffffff',
  /** The border of what has the fill, which can be seen where a pale fill cannot. */
  rim: '#0f766e',
  /** A surface with a touch of the accent. */
  soft: '#e3ebe6',
  /** Highlighted words. */
  mark: '#fbe3a6',
  // Illustrations use these.
  sky: '#f1e9dc',
  hill: '#cbdcc9',
  wood: '#8d6e53',
  glow: '#ecb85c',
  cloud: '#ffffff',
} as const

export type Token = keyof typeof LIGHT
export type Tokens = Readonly<Record<Token, string>>

export const DARK: Tokens = {
  page: '#191715',
  card: '#24211e',
  line: '#3d3832',
  text: '#f3eee7',
  muted: '#c3b9ae',
  bad: '#f0988b',
  sign: '#5fbcae',
  fill: '#5fbcae',
  ink: '#191715',
  rim: '#5fbcae',
  soft: '#263531',
  mark: '#5b4a1c',
  sky: '#2e2a26',
  hill: '#34473d',
  wood: '#a5876b',
  glow: '#d9a651',
  cloud: '#6a625a',
}
