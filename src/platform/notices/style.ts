import { declareColours } from '../text/palette.ts'

/**
 * There is no animation. Lines break between phrases in Japanese and between words in Korean.
 */
export const STYLE = `
${declareColours('page', 'text', 'muted', 'sign', 'sky', 'hill', 'wood', 'glow', 'cloud')}
body {
display: grid; place-items: center; min-block-size: 100vh; min-block-size: 100svh; margin: 0;
background: var(--page); color: var(--muted); font: 1.125rem/1.6 system-ui, sans-serif;
text-align: center; text-wrap: balance; overflow-wrap: anywhere
}
main { box-sizing: border-box; max-inline-size: 34rem; padding: 2rem 1.5rem 3rem }
svg { inline-size: 10rem }
h1 { margin: 1.25rem 0 .75rem; color: var(--text); font-size: clamp(1.75rem, 1.5rem + 1vw, 2.25rem); line-height: 1.25 }
p { margin: 0 }
p + p { margin-block-start: 1.5rem; padding-block-start: 1.5rem; border-block-start: 1px solid var(--sky); font-size: 1rem }
a {
display: inline-block; margin-block-start: 1.75rem; padding: .6rem 1.5rem; border: 2px solid transparent; border-radius: 2rem;
background: var(--sign); color: var(--page); font-weight: 600; text-decoration: none
}
a:focus-visible { outline: 3px solid var(--text); outline-offset: 3px }
:lang(ja) { word-break: auto-phrase }
:lang(ko) { word-break: keep-all }
`
