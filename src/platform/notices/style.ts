import { declareColours } from '../look/tokens.ts'

/**
 * There is no animation. Lines break between phrases in Japanese and between words in Korean.
 */
export const STYLE = `
${declareColours('page', 'text', 'muted', 'sign', 'fill', 'ink', 'sky', 'hill', 'wood', 'glow', 'cloud')}
body {
display: grid; place-items: center; min-block-size: 100vh; min-block-size: 100svh; margin: 0;
background: var(--page); color: var(--muted); font: 1.125rem/1.6 system-ui, sans-serif;
text-align: center; text-wrap: balance; overflow-wrap: anywhere
}
main { box-sizing: border-box; max-inline-size: 34rem; padding: 2rem 1.5rem 3rem }
header { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; justify-content: center; margin-block-end: 1.5rem }
header img { max-inline-size: 9rem; block-size: 3rem; object-fit: contain }
header b { color: var(--text) }
header span { flex-basis: 100% }
section { display: none }
section.own, section:target { display: block }
main:has(section:target) .own:not(:target) { display: none }
svg { inline-size: 10rem }
svg:dir(rtl) { scale: -1 1 }
h1 { margin: 1.25rem 0 .75rem; color: var(--text); font-size: clamp(1.75rem, 1.5rem + 1vw, 2.25rem); line-height: 1.25 }
p { margin: 0 }
p + p { margin-block-start: 1.5rem; padding-block-start: 1.5rem; border-block-start: 1px solid var(--sky); font-size: 1rem }
a { display: inline-block; padding-block: .5rem; color: var(--sign) }
.button {
margin-block-start: 1.75rem; padding: .6rem 1.5rem; border: 2px solid transparent; border-radius: 2rem;
background: var(--fill); color: var(--ink); font-weight: 600; text-decoration: none
}
ul { margin: 0; padding: 0; list-style: none }
.steps { display: flex; flex-wrap: wrap; column-gap: 1.5rem; justify-content: center }
.steps li:has(.button) { flex-basis: 100% }
details { margin-block-start: 1.5rem; font-size: 1rem }
summary { display: inline-block; padding: .5rem 1rem; border-radius: 2rem; cursor: pointer }
.globe { inline-size: 1.25rem; margin-inline-end: .4em; vertical-align: -.25em; fill: none; stroke: currentcolor; stroke-width: 1.7 }
details ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; justify-content: center }
:is(a, summary):focus-visible { outline: 3px solid var(--text); outline-offset: 3px }
:lang(ja) { word-break: auto-phrase }
:lang(ko) { word-break: keep-all }
`
