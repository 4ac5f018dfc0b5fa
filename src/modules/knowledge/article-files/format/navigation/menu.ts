import { join, posix } from 'node:path'
import type { Problems } from '../problems.ts'
import { ORDER_FOLDERS, readIfThere } from './order-file.ts'
import { type Menu, readMintlifyMenu, readMkDocsMenu, readSidebars, readSummary } from './readers.ts'

const FORMATS = new Map([
  ['SUMMARY.md', readSummary],
  ['docs.json', readMintlifyMenu],
  ['mint.json', readMintlifyMenu],
  ...['js', 'ts', 'json', 'cjs', 'mjs'].map((extension) => [`sidebars.${extension}`, readSidebars] as const),
  ['mkdocs.yml', readMkDocsMenu],
  ['mkdocs.yaml', readMkDocsMenu],
])

/** These are no articles. */
export const isOrderFile = (name: string): boolean => FORMATS.has(name)

/** A menu with the folders in which its files may be, relative to the imported one. */
export interface FoundMenu extends Menu {
  folders: string[]
}

/** Finds the file in which another tool keeps the order of its pages. */
export async function findMenu(dir: string, warnings: Problems): Promise<FoundMenu | undefined> {
  for (const folder of ORDER_FOLDERS) {
    for (const [name, read] of FORMATS) {
      const path = posix.join(folder, name)
      const text = await readIfThere(join(dir, path))
      if (text === undefined) continue
      const menu = tryRead(read, text)
      if (menu === undefined) {
        if (name.startsWith('sidebars'))
          warnings.reporterFor(path)('It is a program. Only an order that is written out can be read.')
        continue
      }
      const folders = [posix.join(folder, menu.root), folder, '', 'docs'].map((each) =>
        /^\.\.|^\.$/.test(each) ? '' : each,
      )
      return { ...menu, folders: [...new Set(folders)] }
    }
  }
  return undefined
}

function tryRead(read: (text: string) => Menu | undefined, text: string): Menu | undefined {
  try {
    return read(text)
  } catch {
    return undefined
  }
}
