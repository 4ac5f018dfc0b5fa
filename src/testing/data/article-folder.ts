import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect } from 'vitest'
import { assetSettings, openAssetStore } from '../../main/asset-settings.ts'
import { operatorContext } from '../../main/operator-context.ts'
import { exportArticles, type ImportOptions, importArticles } from '../../modules/knowledge/article-files/index.ts'
import { createMarkdown } from '../../platform/markdown/index.ts'
import { type Harness, type Tenant, testConfig, useHarness } from '../harness.ts'

/**
 * A service and knowledge bases to import into. By default without background work, so that only the import changes
 * articles.
 */
export function useArticleFolders(role: 'api' | 'all' = 'api') {
  const harness = useHarness({ role })
  const markdown = createMarkdown(1)
  afterAll(() => markdown.close())
  let folders = 0

  /** Creates a knowledge base and a folder, with functions to import and export between them. */
  async function openBase(tenant?: Tenant, settings: object = {}) {
    const acme = tenant ?? (await harness.createTenant())
    const created = await acme.post('/v1/knowledge-bases', { name: 'Care', ...settings })
    const { id: base, slug: kb } = created.body as { id: string; slug: string }
    const dir = join(harness.folder, `articles-${++folders}`)
    await mkdir(dir)
    const { database } = harness.service
    const config = testConfig(harness)
    const assets = assetSettings(config, database, await openAssetStore(config))
    const options = { dir, base: kb, markdown, publicUrl: config.publicUrl, assets }
    const importWith = (more: Partial<ImportOptions>, through = database) =>
      importArticles(operatorContext(through, acme.orgId, harness.nowMs), { ...options, ...more })

    return {
      ...{ acme, base, dir, importWith },
      bringIn: (from = dir) => importWith({ dir: from }),
      writeOut: (to: string, force = false) =>
        database.snapshot((db) => exportArticles(db, acme.orgId, { dir: to, base: kb, force })),
      put: (files: Record<string, string | Buffer>) => writeFolder(dir, files),
      /** Returns the errors of an import that must fail, and checks that it changed nothing. */
      complaints: async (): Promise<string[]> => {
        const before = await dump(harness, acme)
        const message = await importWith({}).then(
          () => 'the import succeeded',
          (error: Error) => error.message,
        )
        expect(await dump(harness, acme)).toEqual(before)
        const [heading, ...lines] = message.split('\n')
        expect(heading).toBe('Nothing was imported. Fix these problems first:')
        return lines.map((line) => line.trim())
      },
      find: async (slug: string) => {
        const { data } = (await acme.get(`/v1/articles?knowledge_base_id=${base}&page_size=100`)).body
        const { id } = data.find((article: any) => article.slug === slug)
        return (await acme.get(`/v1/articles/${id}`)).body
      },
    }
  }
  return { harness, openBase, dump: (tenant: Tenant) => dump(harness, tenant) }
}

const TABLES = [
  ...['articles', 'article_texts', 'article_versions', 'article_categories', 'article_tags'],
  ...['article_tag_assignments', 'article_relations', 'events', 'tombstones'],
]

/** Returns all rows that belong to a tenant's articles. */
async function dump({ service }: Harness, { orgId }: Tenant): Promise<Record<string, string[]>> {
  const dumped: Record<string, string[]> = {}
  for (const table of TABLES) {
    const query = sql`select * from ${sql.table(table)} where ${sql.ref('org_id')} = ${orgId}`
    const { rows } = await query.execute(service.database.read)
    dumped[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return dumped
}

export async function writeFolder(dir: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
}

export async function readFolder(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name), 'utf8')])),
  )
}

export const articleFile = (head: string, content = ''): string => `---\n${head}\n---\n\n${content}`

/** What else an import of a folder without pictures says. */
export const NO_FILES = { files: { created: 0, unchanged: 0 }, ignored_keys: 0, warnings: [] }

/** The counts of an import that changed nothing. Tests override single ones. */
export const NOTHING = { created: 0, updated: 0, unchanged: 0, left_alone: 0 }

/** A folder exactly as an export writes it. */
export const FOLDER = {
  'categories.yaml': `- slug: care
  name: Care
  parent:
  description: How to look after it
  icon: book-open
  sort_order: 1
  translations:
    de:
      name: Pflege
      description: So bleibt es schön
    "no":
      name: Stell
      description:
- slug: oiling
  name: Oiling
  parent: care
  description:
  icon: folder-closed
  sort_order: 0
- slug: repair
  name: Repair
  parent:
  description: ""
  icon: folder-closed
  sort_order: 1
`,
  'cleaning.md': `---
title: Cleaning
status: draft
visibility: internal
language: de
category:
tags: []
related: []
---

`,
  'oiling-the-top.de.md': `---
title: Die Tischplatte ölen
---

# Ölen
`,
  'oiling-the-top.md': `---
title: "Oiling: the table top"
status: published
visibility: public
language: en
category: oiling
tags: [Care, Wood]
related: [waxing, cleaning]
---

# Oiling

Once a year.
`,
  'waxing.md': `---
title: Waxing
status: archived
visibility: chatbot_only
language: ja
category: care
tags: [Wood]
related: [oiling-the-top]
---

No line at the end`,
}
