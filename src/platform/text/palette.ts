/** The colours of all our pages. Text has a contrast of at least 4.5 : 1 to every surface, in both modes. */
export const LIGHT = {
  page: '#fbf8f3',
  card: '#ffffff',
  text: '#2b2723',
  muted: '#5f574f',
  line: '#e6ddcf',
  /** The accent: links, buttons, focus. */
  sign: '#0f766e',
  mark: '#fbe3a6',
  bad: '#9b2c1f',
  // Of illustrations.
  sky: '#f1e9dc',
  hill: '#cbdcc9',
  wood: '#8d6e53',
  glow: '#ecb85c',
  cloud: '#ffffff',
} as const

type Colour = keyof typeof LIGHT

export const DARK: Record<Colour, string> = {
  page: '#191715',
  card: '#24211e',
  text: '#f3eee7',
  muted: '#c3b9ae',
  line: '#3d3832',
  sign: '#5fbcae',
  mark: '#5b4a1c',
  bad: '#f0988b',
  sky: '#2e2a26',
  hill: '#34473d',
  wood: '#a5876b',
  glow: '#d9a651',
  cloud: '#6a625a',
}

/** A style sheet that declares these colours as custom properties, such as `--page`, for light and dark mode. */
export function declareColours(...names: readonly Colour[]): string {
  const declare = (palette: Record<Colour, string>) => names.map((name) => `--${name}:${palette[name]}`).join(';')
  return `:root{color-scheme:light dark;${declare(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${declare(DARK)}}}`
}
