/** A Markdown file of the repository that is shown as a page. */
export interface GuideFile {
  slug: string
  /** Relative to the root of the repository. */
  path: string
  /** Left out if it is the first heading of the file. */
  title?: string
  /** What a reader finds in it, in one sentence. */
  about: string
}

export interface GuideGroup {
  name: string
  guides: readonly GuideFile[]
}

const inDocs = (slug: string, about: string): GuideFile => ({ slug, path: `docs/${slug}.md`, about })

/** All guides, in the order in which a newcomer needs them. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    name: 'Start',
    guides: [
      inDocs('introduction', 'Your first request and your first QR code, in a minute.'),
      inDocs('authentication', 'API keys, scopes, and what to do about a 401.'),
      inDocs('requests', 'Statuses, validation, changes with PATCH, IDs and timestamps.'),
      inDocs('pagination', 'Read lists of any length, with a page number or a cursor.'),
      inDocs('idempotency', 'Retry a POST without doing anything twice.'),
      inDocs('errors', 'The shape of errors, every error code, and what to do about it.'),
      inDocs('rate-limits', 'How many requests you may send, and when to try again.'),
      inDocs('import', 'Create or change thousands of products, objects and codes, and repeat it safely.'),
    ],
  },
  {
    name: 'Webhooks',
    guides: [
      inDocs('webhooks', 'Receive events: receivers in five languages, signatures, retries and replays.'),
      inDocs('events', 'Every event with its fields and a sample.'),
      {
        slug: 'sdk',
        path: 'packages/sdk/README.md',
        title: 'SDK',
        about: 'A function that verifies webhooks, for Node, Deno, Bun and edge workers.',
      },
    ],
  },
  {
    name: 'Codes and products',
    guides: [
      inDocs('changes', 'Change where thousands of codes lead at once: look first, follow the job, undo.'),
      inDocs('qr-code-images', 'QR codes ready for print: sizes, colours, captions and a logo.'),
      inDocs('rules', 'Let the moment decide where a code leads: time, language, device, number of the scan and more.'),
      inDocs('history', 'Every version of where a code led: restored, or scheduled for a moment in the future.'),
      inDocs('gs1', 'One address of a product for tills, phones and programs.'),
      inDocs('product-links', 'Instructions, spare parts and more behind one code, also for a lot or serial number.'),
      inDocs('gs1-images', 'QR codes and Data Matrix codes of products, ready for print.'),
    ],
  },
  {
    name: 'Pages and forms',
    guides: [
      inDocs('brand', 'Your logo, colours and corners on everything that visitors see, in light and dark mode.'),
      inDocs('pages', 'What people see after a scan: texts, images, links and a form.'),
      inDocs('submissions', 'What visitors sent with a form: triage, receipts, replies, files, export and erasure.'),
    ],
  },
  {
    name: 'Help centre',
    guides: [
      inDocs('articles', 'Articles as Markdown files: import, export, translations and categories.'),
      {
        slug: 'article-search',
        path: 'docs/search.md',
        about: 'What a search finds, in which order, and synonyms.',
      },
    ],
  },
  {
    name: 'Chat',
    guides: [
      inDocs('chatbots', 'Answers from your articles, with sources, with or without a language model.'),
      inDocs('chat', 'The page and the widget in which visitors write.'),
      inDocs('conversations', 'Read what visitors write, take over from the chatbot, and reply.'),
      inDocs('unanswered', 'What visitors asked and no article answers.'),
    ],
  },
  {
    name: 'Domains and applications',
    guides: [
      inDocs('domains', 'Codes, pages, help centres and chats at your own address.'),
      inDocs('oauth', 'Let an application act for a person, without an API key.'),
    ],
  },
  {
    name: 'Moving',
    guides: [
      inDocs('moving', 'All steps, for printed codes and for help centres.'),
      inDocs('moving-bitly', 'Printed codes on your own domain, with back-halves, tags and counters.'),
      inDocs('moving-dub', 'Printed codes on your own domain, with tags, counters and archived links.'),
      inDocs('moving-shlink', 'Short URLs with tags and visits, and a note for each limit and rule.'),
      inDocs('moving-kutt', 'Links of a hosted or your own installation, with visits by day.'),
      inDocs('moving-yourls', 'Keywords with titles and clicks, from the table or the API.'),
      inDocs('moving-csv', 'Printed codes of any other service, with a CSV file or the API.'),
      inDocs('moving-gitbook', 'Articles from the repository of Git Sync.'),
      inDocs('moving-docusaurus', 'Articles with sidebars and translations.'),
      inDocs('moving-mintlify', 'Articles with tabs, groups and components.'),
      inDocs('moving-mkdocs', 'Articles with their menu, also of Material for MkDocs.'),
      inDocs('moving-zendesk', 'Articles with sections, labels and translations.'),
      inDocs('moving-intercom', 'Articles with collections and translations.'),
      inDocs('moving-html', 'Articles of any other tool, from saved pages.'),
    ],
  },
  {
    name: 'Run Waymark',
    guides: [
      {
        slug: 'readme',
        path: 'README.md',
        title: 'Overview and settings',
        about: 'What Waymark does, all settings, and the command line.',
      },
      inDocs('deploy', 'From an empty server to HTTPS in ten minutes.'),
      inDocs('settings', 'Every setting: its default, its meaning and an example.'),
      inDocs('operations', 'Limits, backups, metrics, and what to do when something is wrong.'),
      inDocs('versions', 'What a new version may change, and how to upgrade and go back.'),
      { slug: 'changelog', path: 'CHANGELOG.md', title: 'Changelog', about: 'What changed for users.' },
    ],
  },
]

export const GUIDE_FILES: readonly GuideFile[] = GUIDE_GROUPS.flatMap(({ guides }) => guides)

/** Other files that guides link to, and where they are served. */
export const LINKED_FILES: Readonly<Record<string, string>> = {
  'openapi.json': '/v1/openapi.json',
  'packages/sdk/test-vectors/webhook-signatures.json': '/docs/webhook-signatures.json',
}

const ROOT = new URL('../../../', import.meta.url)

export const fileUrl = (path: string): URL => new URL(path, ROOT)
