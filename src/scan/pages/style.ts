/**
 * Dark mode has its own palette, because the light colours would glare. Text keeps a contrast of at least 4.5 : 1 in
 * both. There is no animation. Lines break between phrases in Japanese and between words in Korean.
 */
export const STYLE = `
:root {
--page: #fbf8f3; --text: #2b2723; --soft: #5f574f; --sign: #0f766e;
--sky: #f1e9dc; --hill: #cbdcc9; --wood: #8d6e53; --glow: #ecb85c; --cloud: #fff
}
@media (prefers-color-scheme: dark) {
:root {
--page: #191715; --text: #f3eee7; --soft: #bdb3a8; --sign: #5fbcae;
--sky: #2e2a26; --hill: #34473d; --wood: #a5876b; --glow: #d9a651; --cloud: #6a625a
}
}
body {
display: grid; place-items: center; min-block-size: 100vh; min-block-size: 100svh; margin: 0;
background: var(--page); color: var(--soft); font: 1.125rem/1.6 system-ui, sans-serif;
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
