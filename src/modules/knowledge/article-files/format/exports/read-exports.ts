import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentLanguage } from '../../../../../platform/contract/languages.ts'
import { languageOf } from '../folder.ts'
import type { Problems } from '../problems.ts'
import type { HelpCentreExport } from './export.ts'
import { readIntercom } from './intercom.ts'
import { readZendesk } from './zendesk.ts'

/** All of them are in memory at once. */
const BYTES_MAX = 256 * 1024 * 1024

/** Reads what the APIs of Zendesk and Intercom answered, if these files are that. */
export async function readExports(
  dir: string,
  paths: readonly string[],
  baseLanguage: ContentLanguage,
  warnings: Problems,
): Promise<HelpCentreExport | undefined> {
  const documents: unknown[] = []
  let left = BYTES_MAX
  for (const path of paths) {
    const handle = await open(join(dir, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      left -= (await handle.stat()).size
      if (left < 0) {
        warnings.reporterFor(path)('It is too large. Split the export into several imports of at most 256 MiB.')
        break
      }
      documents.push(JSON.parse(await handle.readFile('utf8')))
    } catch {
      // Other tools keep their settings in such files, some of them with comments.
    } finally {
      await handle.close()
    }
  }
  // Services name a country where the language alone is meant.
  const toLanguage = (locale: string): ContentLanguage | undefined => {
    const language = languageOf(locale)
    return language?.startsWith(`${baseLanguage}-`) ? baseLanguage : language
  }
  return readZendesk(documents, toLanguage) ?? readIntercom(documents, toLanguage)
}
