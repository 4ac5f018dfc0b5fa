import { expect, test } from 'vitest'
import { converted } from './testing/converted.ts'

test.each<[tool: string, written: string, expected: string]>([
  ['GitBook: a hint', '{% hint style="info" %}\nMind *this*.\n{% endhint %}', ':::note\nMind *this*.\n:::'],
  ['GitBook: an unknown style', '{% hint style="pink" %}\nx\n{% endhint %}', ':::note\nx\n:::'],
  [
    'GitBook: tabs',
    '{% tabs %}\n{% tab title="Mac" %}\na\n{% endtab %}\n\n{% tab title="[x] <b>" %}\nb\n{% endtab %}\n{% endtabs %}',
    '#### Mac\na\n#### x b\nb',
  ],
  [
    'GitBook: steps keep code and lists',
    '{% stepper %}\n{% step %}\n### One\n\n```sh\nls\n```\n{% endstep %}\n{% step %}\nTwo\n{% endstep %}\n{% endstepper %}',
    '1. ### One\n   ```sh\n   ls\n   ```\n1. Two',
  ],
  ['GitBook: an embed', '{% embed url="https://acme.com/v" %}\nA film\n{% endembed %}', '[A film](https://acme.com/v)'],
  [
    'GitBook: an embed alone',
    'a\n\n{% embed url="https://acme.com/v" %}\n\nb',
    'a\n[https://acme.com/v](https://acme.com/v)\nb',
  ],
  ['GitBook: a page', '{% content-ref url="../b.md" %}\n[b.md](../b.md)\n{% endcontent-ref %}', '[b.md](../b.md)'],
  ['GitBook: a file', '{% file src="a (1).pdf" %}', '[a (1).pdf](<a (1).pdf>)'],
  ['GitBook: code with a name', '{% code title="a.js" %}\n```js\nx\n```\n{% endcode %}', '**a.js**\n```js\nx\n```'],
  ['Jekyll: code', '{% highlight ruby %}\nx\n{% endhighlight %}', '```ruby\nx\n```'],
  ['Docusaurus: callouts within each other', '::::note A\n:::tip\nx\n:::\n::::', ':::note A\n:::tip\nx\n:::\n:::'],
  ['VitePress: details', '::: details Why & how\nx\n:::', '<details>\n<summary>Why &amp; how</summary>\nx\n</details>'],
  ['MkDocs: tabs within each other', '=== "A"\n\n    a\n\n    === "B"\n\n        b\n\nc', '#### A\na\n#### B\nb\nc'],
  ['MkDocs: a callout beside the text', '!!! note inline end "T"\n    x', '!!! note "T"\n    x'],
  [
    'MkDocs: attributes',
    '[a](b.md){ .md-button } ![](x.png){width=300}\n## H { #h .x }',
    '[a](b.md) ![](x.png)\n## H {#h}',
  ],
  [
    'MkDocs: blocks',
    '/// note | A `b`\n    attrs: {class: x}\n    open: true\n\nc\n///\n\n//// tab | D\n/// details | E\nf\n///\n////',
    ':::note A `b`\nc\n:::\n#### D\n<details>\n<summary>E</summary>\nf\n</details>',
  ],
  [
    'MkDocs: blocks with a type, and captions',
    '/// admonition | A\n    type: danger\n\nb\n///\n\n![](c.png)\n\n/// caption\nd\n///\n\n////',
    ':::caution A\nb\n:::\n![](c.png)\n*d*\n////',
  ],
  ['MkDocs: icons and a list of contents', '[TOC]\n:material-check: done', ' done'],
  ['Hugo: a tab', '{{< tabs >}}\n{{% tab name="Mac" %}}\nx\n{{% /tab %}}\n{{< /tabs >}}', '#### Mac\nx'],
])('%s', (_tool, written, expected) => {
  expect(converted(written)).toEqual({ text: expected, warnings: [] })
})

test.each<[tool: string, written: string, expected: string]>([
  ['a callout on one line', '<Note>Mind `<X>`.</Note>', ':::note\nMind `<X>`.\n:::'],
  [
    'nested components, whose indentation is no code',
    '<Steps>\n    <Step title="One">\n        Run:\n\n        ```sh\n        ls\n        ```\n        <Tip>\n            x\n        </Tip>\n    </Step>\n</Steps>',
    '1. **One**\n   Run:\n   ```sh\n   ls\n   ```\n   :::tip\n   x\n   :::',
  ],
  [
    'cards',
    '<CardGroup cols={2}>\n  <Card\n    title="A"\n    href="/a"\n  >\n    x\n  </Card>\n  <Card title="B" href="/b" />\n</CardGroup>',
    '- [A](/a)\n  x\n- [B](/b)',
  ],
  ['an accordion', '<Accordion title="Why?">\n  x\n</Accordion>', '<details>\n<summary>Why?</summary>\nx\n</details>'],
  [
    'a parameter',
    '<ParamField body="id" type="string" required>\n  The id.\n</ParamField>',
    '- `id` (string, required)\n  The id.',
  ],
  [
    'codes with names',
    '<CodeGroup>\n```bash npm\nnpm i\n```\n```bash\nyarn\n```\n</CodeGroup>',
    '**npm**\n```bash npm\nnpm i\n```\n```bash\nyarn\n```',
  ],
  ['words in a sentence', 'Use <Tooltip tip="x">the API</Tooltip>{" "}now', 'Use the API now'],
  ['a list item', '- a <Note>b</Note> c', '- a b c'],
  ['a Docusaurus tab', '<Tabs>\n<TabItem value="a" label="A">\n\nx\n\n</TabItem>\n</Tabs>', '#### A\nx'],
  ['an image of a program', "<img src={useBaseUrl('/x.png')} alt=\"X\" style={{ width: '10%' }} />", '![X](/x.png)'],
  [
    'programs',
    'import A from "a"\nexport const x = {\n  a: 1,\n\n  b: 2,\n}\n\nText {/* a\ncomment */} end',
    'Text \n end',
  ],
  ['an anchor, which is HTML', '<a id="x"></a>**b**<br/>', '<a id="x"></a>**b**<br/>'],
])('MDX: %s', (_what, written, expected) => {
  expect(converted(written, 'a.mdx')).toEqual({ text: expected, warnings: [] })
})

test('code stays as it is', () => {
  const code =
    '`{% hint %}` and `<Note>`\n```md\n{% hint style="info" %}\n<Note>x</Note>\n:::custom\n=== "Tab"\nimport a from "b"\n/// note\n{{ x }} {y} {/* z */}\n::leaf\n++a++\n```\n`{{ x\n}}` <!-- {% x %} {{ y }} -->'
  for (const path of ['a.md', 'a.mdx']) expect(converted(code, path)).toEqual({ text: code, warnings: [] })
})

test('code that is only indented or in HTML stays, too', () => {
  const code =
    'a\n    b {{ c }}\n\n    {{ d }}\n\n    :e[f] ++g++\n\n<pre><code>{{ h }}\n:i[j]</code></pre>\n\n- k\n\n    {{ l }}'
  const { text, warnings } = converted(code)
  expect(text).toBe('a\n    b \n    {{ d }}\n    :e[f] ++g++\n<pre><code>{{ h }}\n:i[j]</code></pre>\n- k')
  expect(warnings.map((each) => /\{\{.*\}\}/.exec(each)?.[0])).toEqual(['{{ c }}', '{{ l }}'])
})

test('what is unknown is reported once with its line, and only the text in it stays', () => {
  const written =
    'a\n\n{% magic a="b" %}\nkept\n{% endmagic %}\n\n<Magic x={1}>kept, too</Magic>\n\n<Magic>again</Magic>\n\n:::magic Title\nx\n:::\n\n{{< magic 1 >}}\n\n!!! magic-words\n    y\n\n--8<-- "a.md"\n::: acme.program\n/// magic | T\nz\n///'
  const { text, warnings } = converted(written)
  expect(text).toBe('a\nkept\nkept, too\nagain\n:::note Title\nx\n:::\n!!! note "magic words"\n    y\nz')
  expect(warnings.sort()).toEqual([
    '11: There is no callout magic here. It became a note.',
    '15: There is nothing like {{< magic >}} here. It was left out.',
    '17: There is no callout magic-words here. It became a note.',
    '20: What is included from another file is not imported.',
    '21: The documentation of acme.program is not imported.',
    '22: There is nothing like /// magic here. Only the text in it was imported.',
    '3: There is nothing like {% magic %} here. Only the text in it was imported.',
    '7: There is nothing like <Magic> here. Only the text in it was imported.',
  ])
  const mdx = converted('# {title}\n\n{items.map((item) => <Item {...item} />)}\n\nx', 'a.mdx')
  expect(mdx.text).toBe('# \nx')
  expect(mdx.warnings).toEqual([
    '1: A program in braces was left out.',
    '3: There is nothing like <Item> here. It was left out.',
  ])
})

test('tags that are never closed, closed twice or crossed lose no text', () => {
  for (const written of [
    '{% hint style="info" %}\na\n\n{% tab title="x" %}\nb\n{% endhint %}\nc\n{% endtab %}\nd',
    '<Note>\na\n<Tip>\nb\n</Note>\nc\n</Tip>\nd\n</Card>',
    `a\nb\nc\nd\n${'<Note>'.repeat(500)}${'{% x '.repeat(500)}`,
  ]) {
    const { text } = converted(written, 'a.mdx')
    expect(
      text
        .replace(/[^a-d\n]|x /g, '')
        .split('\n')
        .filter((line) => /^[a-d]$/.test(line)),
    ).toEqual(['a', 'b', 'c', 'd'])
  }
})
