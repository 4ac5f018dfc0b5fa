/** What other tools write into sentences: variables, marks, directives and programs. */
import { expect, test } from 'vitest'
import type { Tool } from '../tool.ts'
import { converted } from './testing/converted.ts'

const LEFT_OUT = (what: string, number = 1) => `${number}: There is nothing like ${what} here. It was left out.`
const TEXT_ONLY = (what: string, number = 1) =>
  `${number}: There is nothing like ${what} here. Only the text in it was imported.`
const A_PROGRAM = (number = 1) => `${number}: A program in braces was left out.`
const A_FILE = (number = 1) => `${number}: What is included from another file is not imported.`

test.each<[what: string, written: string, expected: string, warnings: string[], path?: string, tool?: Tool]>([
  [
    'a variable',
    'Lamp {{ version }} is\n{{- site.year -}}.',
    'Lamp  is\n.',
    [LEFT_OUT('{{ version }}'), LEFT_OUT('{{ site.year }}', 2)],
  ],
  [
    'a variable that the text sets',
    '{% assign v = "1" %}\nIt is {{ v }}.',
    'It is .',
    [LEFT_OUT('{% assign %}'), LEFT_OUT('{{ v }}', 2)],
  ],
  ['a variable of Mintlify', 'Hi {{name}}.', 'Hi .', [LEFT_OUT('{{ name }}')], 'a.md', 'mintlify'],
  [
    'a variable of GitBook',
    'It is <code class="expression">space.vars.v</code>.',
    'It is .',
    [LEFT_OUT('{{ space.vars.v }}')],
  ],
  ['a long variable', `{{ ${'x'.repeat(50)} }}`, '', [LEFT_OUT(`{{ ${'x'.repeat(40)}… }}`)]],
  ['texts in braces', '{{ "a" }} {{ "{{ b }}" }}', 'a {{ b }}', []],
  [
    'paths from the root of the site',
    '![x]({{ site.baseurl }}/x.png) [a]({{ "/a" | relative_url }})',
    '![x](/x.png) [a](/a)',
    [],
  ],
  ['comments of templates', 'a {# b\nc #}d\n## E {#e}', 'a d\n## E {#e}', []],
  ['braces that are no variable', '{x} \\{{ y }} {{ z\n\n}} {{ a } }', '{x} \\{{ y }} {{ z\n}} {{ a } }', []],
  ['braces in Hugo', '{{ version }} :a[b] ++c++', '{{ version }} :a[b] ++c++', [], 'a.md', 'hugo'],
  [
    'what is written to be read',
    '{% raw %}{{ x }}{% endraw %}, {% raw %}{% include x %}{% endraw %}\n\n::: v-pre\n{{ y }}\n:::\n\n<b v-pre>{{ z }}</b>',
    '{{ x }}, {% include x %}\n{{ y }}\n<b v-pre>{{ z }}</b>',
    [],
  ],
  ['code that is a template', '`{% raw %}{{ x }}{% endraw %}`', '`{{ x }}`', [], 'a.md', 'jekyll'],
  [
    'directives',
    'A :badge[new *x* [y](z)]{a="b"} and :icon{name=x}.\n\n::leaf{a=b}\n\n::card[Title `]`]{x}\n\n::toc\n\n::box{x}\n\nIn it\n\n::',
    'A new *x* [y](z) and .\nTitle `]`\nIn it',
    [
      TEXT_ONLY(':badge'),
      LEFT_OUT(':icon'),
      LEFT_OUT('::leaf', 3),
      TEXT_ONLY('::card', 5),
      LEFT_OUT('::toc', 7),
      TEXT_ONLY('::box', 9),
    ],
  ],
  ['a leaf that is a callout', '::warning\nx\n::', ':::warning\nx\n:::', []],
  [
    'colons that are no directive',
    '10:30 :smile: :smile:[a](b) https://a.b:80/c[1] a:b[1] A::B[x] :ref[^1] 1:x{y} a ::b[c]',
    '10:30 :smile: :smile:[a](b) https://a.b:80/c[1] a:b[1] A::B[x] :ref[^1] 1:x{y} a ::b[c]',
    [],
  ],
  [
    'titles of callouts',
    ':::note[A `b`]{.c}\nx\n:::\n::: details C {open}\ny\n:::',
    ':::note A `b`\nx\n:::\n<details>\n<summary>C</summary>\ny\n</details>',
    [],
  ],
  [
    'keys',
    '++ctrl+alt+"x"++ ++page-up++, C++ and D++, i++, ++a b++, https://a.b/++c++/d',
    'Ctrl+Alt+x Page Up, C++ and D++, i++, ++a b++, https://a.b/++c++/d',
    [],
  ],
  [
    'highlighted words of MkDocs',
    '==a `b`\nc== ^^d^^, a == b == c\n\n=== "Tab"\n\n    ==e==',
    'a `b`\nc d, a == b == c\n#### Tab\ne',
    [],
    'a.md',
    'mkdocs',
  ],
  ['highlighted words of others', '==a== ^^b^^', '==a== ^^b^^', []],
  ['icons with classes', '- :material-clock-fast:{ .lg .middle } __Fast__', '-  __Fast__', []],
  ['lists of snippets', 'a\n\n--8<--\nb.md\nc.md\n--8<--\n\nd\n\n--8<--\ne', 'a\nd\ne', [A_FILE(3)]],
  [
    'a snippet in code of MkDocs',
    '```\n--8<-- "a.py"\n;--8<-- "b.py"\n```',
    '```\n--8<-- "b.py"\n```',
    [A_FILE(2)],
    'a.md',
    'mkdocs',
  ],
  ['parts that others include', '-8<- [start:a]\nb\n-8<- [end:a]', 'b', []],
  [
    'programs in Markdown of Docusaurus',
    `Hi {user.name}, \${price}. {"x"} \\{y}\n## {title} {#h}`,
    'Hi , $. x \\{y}\n##  {#h}',
    [A_PROGRAM()],
    'a.md',
    'docusaurus',
  ],
  ['braces in other Markdown', `Hi {user.name}, \${price}.`, `Hi {user.name}, \${price}.`, []],
  [
    'programs in HTML',
    '<table style={{ width: 1 }} id="t"><tr><td colSpan={2}>x</td></tr></table>\n\nA <b style={{ a: 1 }}>c</b><br {...x} />',
    '<table id="t"><tr><td colSpan="2">x</td></tr></table>\nA <b>c</b><br />',
    [],
    'a.mdx',
  ],
  [
    'a sentence that begins a line with a word of programs',
    'You can\nimport the file\nexport default values',
    'You can\nimport the file\nexport default values',
    [],
    'a.mdx',
  ],
])('%s', (_what, written, expected, warnings, path, tool) => {
  const { text, warnings: reported } = converted(written, path, tool)
  expect(text).toBe(expected)
  expect(reported.sort(byNumber)).toEqual(warnings)
})

const byNumber = (a: string, b: string) => Number.parseInt(a, 10) - Number.parseInt(b, 10)
