import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Problems } from '../problems.ts'
import { type Menu, readMintlifyMenu, readMkDocsMenu, readSidebars, readSummary } from './readers.ts'

const FORMATS = new Map([
  ['SUMMARY.md', readSummary],
  ['docs.json', readMintlifyMenu],
  ['mint.json', readMintlifyMenu],
  ...['js', 'ts', 'json', 'cjs', 'mjs'].map((extension) => [`sidebars.${extension}`, readSidebars] as const),
  ['mkdocs.yml', readMkDocsMenu],
  ['mkdocs.yaml', readMkDocsMenu],
])
/** Order files are beside the folder with the texts, or above it. */
const FOLDERS = ['', 'docs', 'website', '..', '../website']
const BYTES_MAX = 2 * 1024 * 1024

/** These are no articles. */
export const isOrderFile = (name: string): boolean => FORMATS.has(name)

/** A menu with the folders in which its files may be, relative to the imported one. */
export interface FoundMenu extends Menu {
  folders: string[]
}

/** Finds the file in which another tool keeps the order of its pages. */
export async function findMenu(dir: string, warnings: Problems): Promise<FoundMenu | undefined> {
  for (const folder of FOLDERS) {
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

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      const stat = await handle.stat()
      return stat.isFile() && stat.size <= BYTES_MAX ? await handle.readFile('utf8') : undefined
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}
