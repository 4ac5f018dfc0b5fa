/** A space of GitBook, as it is synchronised with Git. */
export const GITBOOK: Record<string, string> = {
  'SUMMARY.md': `# Table of contents

* [Welcome](README.md)

## Lamps

* [Pairing](lamps/pairing.md)
  * [Reset](lamps/reset.md)
* [Dimming](lamps/dimming.md)
`,
  'README.md': `---
description: The guides of Acme
---

# Welcome

{% hint style="warning" %}
[Pair it](https://docs.acme.com/lamps/pairing#reset) first.
{% endhint %}

![Plan](.gitbook/plan.svg)

{% magic %}
Kept.
{% endmagic %}

[Gone](https://docs.acme.com/gone) and ![old](https://docs.acme.com/old.png)

[Pairing](http://www.docs.acme.com/lamps/pairing/) and [the site](https://acme.com)
`,
  'lamps/pairing.md': '# Pairing\n\n## Reset\n\n[Back](../)\n',
  'lamps/reset.md': '# Reset\n\nx\n',
  'lamps/dimming.md': '# Dimming\n\nx\n',
  '.gitbook/plan.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><script>alert(1)</script><rect width="20" height="10" fill="#0f766e"/></svg>',
}

/** Docusaurus, with a sidebar that names some of the pages. */
export const SIDEBAR_DOCS: Record<string, string> = {
  'sidebars.js':
    "module.exports = { docs: ['intro', { type: 'category', label: 'Guides', items: ['guides/pair'] }] }\n",
  'docs/01-intro.md': '# Intro\n\nx\n',
  'docs/guides/02-pair.mdx':
    '---\nslug: /pair-a-lamp\n---\nimport Tabs from "@theme/Tabs"\n\n# Pair\n\n[Intro](/docs/intro)\n',
  'docs/other/page.md': '# Page\n\nx\n',
  'docs/other/_category_.json': '{ "label": "Folder label", "position": 4 }',
  'docs/_partial.md': 'Part of other pages\n',
  'i18n/de/docusaurus-plugin-content-docs/current/01-intro.md': '# Einleitung\n\nx\n',
}

const article = (id: number, title: string, body: string, more: object = {}) => ({
  ...{ id, title, body, locale: 'en-us', source_locale: 'en-us', draft: false, section_id: 7, label_names: [] },
  html_url: `https://acme.zendesk.com/hc/en-us/articles/${id}-${title.replaceAll(' ', '-')}`,
  user_segment_id: null,
  ...more,
})

/** What the Help Center API of Zendesk answers. */
export const ZENDESK: Record<string, string> = {
  'articles.json': JSON.stringify({
    count: 3,
    next_page: null,
    articles: [
      article(
        101,
        'Pairing a lamp',
        '<h2 id="before">Before</h2><ol><li><strong>Reset</strong> it: <a href="/hc/en-us/articles/102#h">how</a></li><li>Wait</li></ol><p><img src="https://acme.zendesk.com/hc/article_attachments/9/x.png"></p>',
        {
          label_names: ['lamp'],
          translations: [{ locale: 'de', title: 'Lampe', body: '<p>Zuerst <em>das</em>.</p>', draft: false }],
        },
      ),
      article(102, 'Resetting a lamp', '<p>Hold.</p>', { draft: true }),
      article(103, 'For the team', '<p>Secret.</p>', { user_segment_id: 5 }),
    ],
  }),
  'sections.json': JSON.stringify({
    sections: [{ id: 7, name: 'Basics', description: 'First steps', position: 5, category_id: 3, locale: 'en-us' }],
  }),
  'categories.json': JSON.stringify({
    categories: [{ id: 3, name: 'Lamps', description: '', position: 2, locale: 'en-us' }],
  }),
}

/** What the API of Intercom answers. */
export const INTERCOM: Record<string, string> = {
  'articles.json': JSON.stringify({
    type: 'list',
    data: [
      {
        ...{ type: 'article', id: '11', title: 'Pairing', state: 'published', parent_id: 2, parent_type: 'collection' },
        body: '<p class="no-margin">See <a href="https://help.acme.com/en/articles/12-reset">the reset</a>.</p>',
        url: 'https://help.acme.com/en/articles/11-pairing',
        default_locale: 'en',
        translated_content: {
          type: 'article_translated_content',
          en: { type: 'article_content', title: 'Pairing', body: '<p>x</p>', state: 'published' },
          fr: { type: 'article_content', title: 'Associer', body: '<p>y</p>', state: 'published' },
          de: { type: 'article_content', title: 'Koppeln', body: '<p>z</p>', state: 'draft' },
        },
      },
      {
        type: 'article',
        id: '12',
        title: 'Reset',
        state: 'draft',
        body: '<p>Hold.</p>',
        url: null,
        parent_id: 1,
        default_locale: 'en',
      },
    ],
  }),
  'collections.json': JSON.stringify({
    type: 'list',
    data: [
      { type: 'collection', id: '1', name: 'Lamps', description: 'All', order: 1, parent_id: null },
      { type: 'collection', id: '2', name: 'Basics', description: null, order: 1, parent_id: '1' },
    ],
  }),
}
