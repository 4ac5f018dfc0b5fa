import { resolve } from 'node:path'
import type { Command } from 'commander'
import {
  getOrganisationBySlug,
  listOrganisations,
  type Organisation,
} from '../../modules/account/organisations/index.ts'
import {
  type ExportSummary,
  exportArticles,
  type ImportSummary,
  importArticles,
} from '../../modules/knowledge/article-files/index.ts'
import { systemClock } from '../../platform/clock/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { OperatorError } from '../../platform/errors/operator-error.ts'
import { createMarkdown } from '../../platform/markdown/index.ts'
import { readConfig } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { operatorContext } from '../operator-context.ts'
import { plural, print, progress } from '../output.ts'

interface Options {
  org?: string
  kb: string
}

export function addArticles(program: Command): void {
  const articles = program.command('articles').description('Articles of a knowledge base as Markdown files.')

  articles
    .command('import')
    .summary('bring Markdown files into a knowledge base')
    .description(
      `Makes the articles of a knowledge base what the Markdown files of a folder say. An article is known by its
slug, which is the name of its file: what is new is made, what differs is changed, and what is the same is left as
it is. Articles that are not in the folder stay. The service may run meanwhile.

Everything is checked before anything is changed. docs/articles.md tells what the files look like.`,
    )
    .argument('<folder>', 'where the files are')
    .requiredOption('--kb <slug>', 'the knowledge base')
    .option('--org <slug>', 'the organisation it belongs to, when there are several')
    .action(async (name: string, { org, kb }: Options, command: Command) => {
      const dir = resolve(name)
      const checked = progress(command, 'Checked', 'file')
      const imported = progress(command, 'Imported', 'file')
      const markdown = createMarkdown()
      const summary = await withDatabase(readConfig(), async (database) => {
        const { id } = await findOrganisation(database.read, org)
        return importArticles(operatorContext(database, id, systemClock), {
          dir,
          base: kb,
          markdown,
          onChecked: checked.note,
          onImported: imported.note,
        })
      }).finally(async () => {
        checked.end()
        imported.end()
        await markdown.close()
      })
      print(command, { folder: dir, knowledge_base: kb, ...summary }, describeImport(summary))
    })

  articles
    .command('export')
    .summary('write a knowledge base into Markdown files')
    .description(
      `Writes every article of a knowledge base into a folder, as the files that \`waymark articles import\` reads: as
they all were at one moment, while the service runs. Versions and pictures are not among them.

The folder is made when it is not there. One that holds anything else than articles is refused.`,
    )
    .argument('<folder>', 'where to write them')
    .requiredOption('--kb <slug>', 'the knowledge base')
    .option('--org <slug>', 'the organisation it belongs to, when there are several')
    .option('--force', 'replace the articles in the folder, and remove those that are no longer there')
    .action(async (name: string, { org, kb, force = false }: Options & { force?: boolean }, command: Command) => {
      const dir = resolve(name)
      const { note, end } = progress(command, 'Exported', 'article')
      const summary = await withDatabase(readConfig(), async (database) => {
        const { id } = await findOrganisation(database.read, org)
        return database.snapshot((db) => exportArticles(db, id, { dir, base: kb, force, onExported: note }))
      }).finally(end)
      print(command, { folder: dir, knowledge_base: kb, ...summary }, describeExport(dir, summary))
    })
}

async function findOrganisation(db: Db, slug: string | undefined): Promise<Organisation> {
  if (slug !== undefined) return getOrganisationBySlug(db, slug)
  const [only, ...others] = await listOrganisations(db)
  if (only === undefined) throw new OperatorError('There is no organisation yet. Run `waymark org create` first.')
  if (others.length > 0) throw new OperatorError('There are several organisations. Say which one with --org.')
  return only
}

function describeExport(dir: string, { articles, translations, categories, removed }: ExportSummary): string {
  const written = `Written into ${dir}: articles ${articles}, translations ${translations}, categories ${categories}.`
  return removed === 0 ? written : `${written}\nRemoved, because it is no longer there: ${plural(removed, 'file')}.`
}

function describeImport({ translations, categories, tags, ...articles }: ImportSummary): string {
  const rows = { Articles: articles, Translations: translations, Categories: categories }
  return [
    ...Object.entries(rows).map(
      ([name, { created, updated, unchanged, left_alone }]) =>
        `${name}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${left_alone} not in the folder and left alone.`,
    ),
    `Tags: ${tags.created} created.`,
  ].join('\n')
}
