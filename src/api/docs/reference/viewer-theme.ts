import { DARK, LIGHT } from '../../../platform/look/index.ts'

type Colour = 'green' | 'red' | 'yellow' | 'blue' | 'orange' | 'purple'

/** The colours of methods and of code, readable on every surface. */
const LIGHT_COLOURS: Record<Colour, string> = {
  green: '#17603f',
  red: LIGHT.bad,
  yellow: '#755000',
  blue: '#1d5a8a',
  orange: '#85460f',
  purple: '#6b3f9e',
}

const DARK_COLOURS: Record<Colour, string> = {
  green: '#7fd1a3',
  red: DARK.bad,
  yellow: '#e6c067',
  blue: '#8cc2ee',
  orange: '#eeb083',
  purple: '#c9a8f0',
}

type Tokens = Record<keyof typeof LIGHT, string>

const declare = (tokens: Tokens, colours: Record<Colour, string>): string =>
  Object.entries({
    'color-1': tokens.text,
    'color-2': tokens.muted,
    'color-3': tokens.muted,
    'color-disabled': tokens.muted,
    'color-ghost': tokens.muted,
    'color-accent': tokens.sign,
    'color-alert': colours.orange,
    'color-danger': colours.red,
    'link-color': tokens.sign,
    'link-color-hover': tokens.sign,
    'background-1': tokens.page,
    'background-2': tokens.card,
    'background-3': tokens.line,
    'background-card': tokens.card,
    'background-accent': tokens.soft,
    'border-color': tokens.line,
    'button-1': tokens.fill,
    'button-1-color': tokens.ink,
    'button-1-hover': tokens.fill,
    'sidebar-background-1': tokens.card,
    'sidebar-border-color': tokens.line,
    'sidebar-color-1': tokens.text,
    'sidebar-color-2': tokens.muted,
    'sidebar-color-active': tokens.sign,
    'sidebar-item-active-background': tokens.soft,
    'sidebar-item-hover-background': tokens.page,
    'sidebar-item-hover-color': tokens.text,
    'sidebar-search-background': tokens.card,
    'sidebar-search-border-color': tokens.muted,
    'sidebar-search-color': tokens.muted,
    ...Object.fromEntries(Object.entries(colours).map(([name, colour]) => [`color-${name}`, colour])),
  })
    .map(([name, value]) => `--scalar-${name}:${value}`)
    .join(';')

/** Shows the viewer in our colours. The viewer sets the class of its mode. */
export const VIEWER_THEME = `
.light-mode{${declare(LIGHT, LIGHT_COLOURS)}}
.dark-mode{${declare(DARK, DARK_COLOURS)}}
.darklight-reference{background:var(--scalar-sidebar-background-1)}
`
