/** The files of a documentation in the style of Docusaurus and VitePress: MDX, numbered folders, links by path. */
export const APP_DOCS: Record<string, string> = {
  'index.mdx': `---
id: home
title: Acme App
sidebar_position: 1
slug: /
---
import Tabs from '@theme/Tabs'
import './style.css'

{/* A comment
over two lines */}

# Acme App

Start with the [setup](./01-getting-started/install.md#requirements), then [pair a lamp](devices/Smart_Lamp.mdx).
See also [the guide](/01-getting-started/) and [API](https://api.acme.example).

<Tabs>

:::tip Try it
![Logo](./img/logo.png)
:::

</Tabs>

\`\`\`md
[not a link](nowhere.md)
\`\`\`
`,
  '01-getting-started/index.md': '# Getting started\n\n[Install](install) and [come back](../index.mdx).\n',
  '01-getting-started/install.md': `---
sidebar_label: Install
tags: [setup, Setup, lamp]
draft: false
---

Installing the *App*
====================

## Requirements {#requirements}

![Box](/img/box.png "The box") and ![again](../img/logo.png)

[Lamp][lamp], [dead](missing.md) and \`[code](also-missing.md)\`.

[lamp]: ../devices/Smart_Lamp.mdx#pairing
<!-- [hidden](missing-too.md) -->
`,
  'devices/Smart_Lamp.mdx': `---
title: "Smart lamp: pairing"
description: >
  How to pair
hide_table_of_contents: true
---

export const year = 2026

## Pairing

<iframe src="https://video.acme.example/1" title="Pairing"></iframe>

[Install](../01-getting-started/install.md) · [Other lamp](install.md) · [drawing](plan.svg)
`,
  'devices/install.md': '---\ndraft: true\n---\n# Mounting\n\n[App](../01-getting-started/install.md#requirements)\n',
  'devices/plan.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

/** The files of a documentation in the style of MkDocs, Hugo and Jekyll: README files, TOML, macros, addresses as links. */
export const HOUSE_DOCS: Record<string, string> = {
  'README.md':
    '# House rules\n\n[Kitchen](kitchen/) · [Oven](kitchen/oven/) · [Install](install.html) · [Manual](files/manual.pdf)\n',
  'install.md':
    '+++\ntitle = "TOML is not read"\nweight = 3\n+++\n# Installing the house\n\n!!! warning "Mind"\n    The [oven]({{< ref "kitchen/oven.md" >}}).\n',
  'kitchen/_index.md':
    '---\nlayout: default\nnav_order: 2\npermalink: /kitchen/\n---\n\n[Oven]({% link kitchen/oven.md %})\n',
  'kitchen/oven.md':
    '---\ntitle: Oven\ntags: hot metal\ncategory: Whatever you like\ninvalid: [\n---\n\n# Oven\n\nText[^1].\n\n[^1]: [Rules](../README.md)\n\nHeat\n: 200 °C\n',
  'kitchen/oven.de.md': '# Ofen\n\n[Küche](_index.md) [Start](../README.md)\n',
}
