import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { PublicAddresses } from '../../modules/domains/custom-domain-routes/index.ts'
import type { ExportSummary, ImportSummary } from '../../modules/knowledge/article-files/index.ts'
import type { Article } from '../../modules/knowledge/articles/index.ts'
import { systemClock } from '../../platform/clock/index.ts'
import { createMarkdown } from '../../platform/markdown/index.ts'
import { assetSettings, openAssetStore } from '../asset-settings.ts'
import type { ReadSettings } from '../config.ts'
import { findOrganisation } from '../find-organisation.ts'
import { withDatabase } from '../open-database.ts'
import { operatorContext } from '../operator-context.ts'
import { plural, print, progress } from '../output.ts'

interface Options {
  org?: string
  kb: string
}

interface ImportCommandOptions extends Options {
  lenient?: boolean
  oldUrl?: string
  status?: Article['status']
}

/** The first warnings say enough. All of them are in the output of --json. */
const WARNINGS_SHOWN = 50

export function addArticles(program: Command, readSettings: ReadSettings): void {
  const articles = program
    .command('articles')
    .summary('import and export articles')
    .description('Imports and exports the articles of a knowledge base as Markdown files.')

  articles
    .command('import')
    .summary('import Markdown files into a knowledge base')
    .description(
      `Creates and updates the articles of a knowledge base from the Markdown files in a folder. The name of a file is
the slug of its article: new articles are created, changed ones are updated, and unchanged ones are not touched.
Articles that are not in the folder are kept. The service may keep running.

All files are checked before anything is changed. Images and other files that an article refers to by a relative path are
imported, too. Links to articles that do not exist are reported, but do not stop the import.

With --lenient, the files can come from other documentation tools. See docs/articles.md for the file format.`,
    )
    .argument('<folder>', 'folder with the files')
    .requiredOption('--kb <slug>', 'slug of the knowledge base')
    .option('--org <slug>', 'slug of the organisation, if there are several')
    .option('--lenient', 'accept files of other tools: any names, folders as categories, unknown keys ignored')
    .option('--old-url <url>', 'address of the old site: links to it become links between the articles')
    .addOption(
      new Option(
        '--status <status>',
        'status of new articles whose file has none (default: draft; lenient: published)',
      ).choices([...['draft', 'unpublished', 'published', 'archived']]),
    )
    .action(
      async (name: string, { org, kb, lenient = false, oldUrl, status }: ImportCommandOptions, command: Command) => {
        // Imported here, so that other commands do not load the YAML parser.
        const { importArticles } = await import('../../modules/knowledge/article-files/index.ts')
        const dir = resolve(name)
        const checked = progress(command, 'Checked', 'file')
        const imported = progress(command, 'Imported', 'file')
        const markdown = createMarkdown(1)
        const config = readSettings()
        const summary = await withDatabase(config, async (database) => {
          const { id } = await findOrganisation(database.read, org)
          const assets = assetSettings(config, database, await openAssetStore(config))
          const addresses = new PublicAddresses(database, config.publicUrl, systemClock)
          const publicUrl = await addresses.urlOf(id)
          addresses.close()
          return importArticles(operatorContext(database, id, systemClock), {
            dir,
            base: kb,
            markdown,
            publicUrl,
            assets,
            isLenient: lenient,
            ...(oldUrl !== undefined && { oldUrl }),
            ...(status && { status }),
            onChecked: checked.note,
            onImported: imported.note,
          })
        }).finally(async () => {
          checked.end()
          imported.end()
          await markdown.close()
        })
        print(command, { folder: dir, knowledge_base: kb, ...summary }, describeImport(summary))
      },
    )

  articles
    .command('export')
    .summary('export a knowledge base to Markdown files')
    .description(
      `Writes every article of a knowledge base to a folder, in the format that \`npx waymark articles import\` reads. The
files are a snapshot of one moment, and the service may keep running. Versions and images are not exported.

The folder is created if it does not exist. A folder that contains anything other than articles is refused.`,
    )
    .argument('<folder>', 'folder to write to')
    .requiredOption('--kb <slug>', 'slug of the knowledge base')
    .option('--org <slug>', 'slug of the organisation, if there are several')
    .option('--force', 'replace the articles in the folder, and remove those that no longer exist')
    .action(async (name: string, { org, kb, force = false }: Options & { force?: boolean }, command: Command) => {
      const { exportArticles } = await import('../../modules/knowledge/article-files/index.ts')
      const dir = resolve(name)
      const { note, end } = progress(command, 'Exported', 'article')
      const summary = await withDatabase(readSettings(), async (database) => {
        const { id } = await findOrganisation(database.read, org)
        return database.snapshot((db) => exportArticles(db, id, { dir, base: kb, force, onExported: note }))
      }).finally(end)
      print(command, { folder: dir, knowledge_base: kb, ...summary }, describeExport(dir, summary))
    })
}

function describeExport(dir: string, { articles, translations, categories, removed }: ExportSummary): string {
  const written = `Exported to ${dir}. Articles: ${articles}, translations: ${translations}, categories: ${categories}.`
  return removed === 0 ? written : `${written}\nRemoved ${plural(removed, 'file')} no longer in the knowledge base.`
}

function describeImport(summary: ImportSummary): string {
  const { translations, categories, tags, files, ignored_keys, warnings, ...articles } = summary
  const rows = { Articles: articles, Translations: translations, Categories: categories }
  return [
    ...Object.entries(rows).map(
      ([name, { created, updated, unchanged, left_alone }]) =>
        `${name}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${left_alone} kept (not in the folder).`,
    ),
    `Tags: ${tags.created} created.`,
    ...(files.created + files.unchanged > 0 ? [`Files: ${files.created} created, ${files.unchanged} unchanged.`] : []),
    ...(ignored_keys > 0 ? [`Ignored ${plural(ignored_keys, 'key')} of front matter.`] : []),
    ...(warnings.length > 0 ? [`Warnings: ${warnings.length}`] : []),
    ...warnings
      .slice(0, WARNINGS_SHOWN)
      .map(({ file, line, message }) => `  ${file}${line === null ? '' : `:${line}`}: ${message}`),
    ...(warnings.length > WARNINGS_SHOWN ? ['  … All of them are in the output of --json.'] : []),
  ].join('\n')
}
