import { expect, test } from 'vitest'
import { compactCss } from './style-sheet.ts'

test.each([
  ['/* "Why" */\na {\n  color: red;\n}\n', 'a{color:red}'],
  [
    '.prose > :is(ul, ol) ~ p,\n.prose :is(th, td)[align="right"] {\n}',
    '.prose>:is(ul,ol)~p,.prose :is(th,td)[align=right]{}',
  ],
  [
    '@media (min-width: 48rem) {\n  a {\n    margin: -0.5rem 10.5px;\n  }\n}',
    '@media (min-width:48rem){a{margin:-.5rem 10.5px}}',
  ],
  ['a {\n  font:\n    1rem / 1.6 system-ui,\n    serif;\n}', 'a{font:1rem/1.6 system-ui,serif}'],
  [
    'a {\n  inline-size: calc((100% - 4rem) / 2 + 0.75rem) !important;\n}',
    'a{inline-size:calc((100% - 4rem)/2 + .75rem)!important}',
  ],
  ['a::after {\n  content: " ( /* 0.5 ; } " attr(href) ")";\n}', 'a::after{content:" ( /* 0.5 ; } " attr(href) ")"}'],
])('compacts %j', (source, compact) => {
  expect(compactCss(source)).toBe(compact)
})
