import { CONTRAST_MIN, contrast, inkOn, mix, parseHex, toHex } from './colours.ts'
import { DARK, declareColours, LIGHT } from './tokens.ts'

interface Scheme {
  /** Backgrounds of text, besides the tinted one. */
  page: string
  card: string
  /** The colour is mixed with this until it is readable. */
  towards: string
  /** Share of the chosen colour in the tinted background. */
  tint: number
}

/** What a customer's colour becomes in one mode, named as in tokens.ts. */
interface Brand {
  sign: string
  fill: string
  ink: string
  soft: string
}

const SCHEMES: Record<'light' | 'dark', Scheme> = {
  light: { ...LIGHT, towards: '#000000', tint: 0.1 },
  dark: { ...DARK, towards: '#ffffff', tint: 0.18 },
}

const STEP = 0.04
const HEX = /^#[0-9a-f]{6}$/i

export const isHexColor = (color: string | null): color is string => color !== null && HEX.test(color)

/** The colour itself is the fill: a yellow stays yellow. Only links have the nearest shade that is readable as text. */
export function brandShades(color: string, mode: keyof typeof SCHEMES): Brand {
  const { page, card, towards, tint } = SCHEMES[mode]
  const chosen = parseHex(color)
  const soft = mix(parseHex(page), chosen, tint)
  const surfaces = [parseHex(page), parseHex(card), soft]
  let sign = chosen
  for (let share = 0; !surfaces.every((surface) => contrast(sign, surface) >= CONTRAST_MIN); ) {
    share = Math.min(share + STEP, 1)
    sign = mix(chosen, parseHex(towards), share)
    if (share === 1) break
  }
  return { sign: toHex(sign), fill: toHex(chosen), ink: toHex(inkOn(chosen)), soft: toHex(soft) }
}

/** A style sheet that declares the colours of a brand. Without a usable colour they are ours. */
export function brandColours(color: string | null): string {
  if (!isHexColor(color)) return declareColours('sign', 'fill', 'ink', 'soft')
  const declare = (mode: keyof typeof SCHEMES) =>
    Object.entries(brandShades(color, mode))
      .map(([name, value]) => `--${name}:${value}`)
      .join(';')
  return `:root{${declare('light')}}@media (prefers-color-scheme:dark){:root{${declare('dark')}}}`
}
