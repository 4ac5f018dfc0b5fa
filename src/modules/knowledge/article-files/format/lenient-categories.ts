import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { slugify } from '../../../../platform/text/slugify.ts'
import { listAllCategories } from '../../article-categories/index.ts'
import { selectCategorySlugsElsewhere } from '../queries.ts'
import { type Base, inChunks } from '../stored-articles.ts'
import type { FolderLabel } from './file-heads.ts'
import { foldersOf, type NamedFile, toTitle } from './lenient-names.ts'
import type { MenuItem } from './navigation/readers.ts'
import { toYaml } from './yaml.ts'

export interface Place {
  db: Db
  orgId: OrgId
  base: Base
}

/** A category that an article will be in, with those above it. */
interface Group {
  key: string
  /** What its slug is made of. */
  words: string
  name: string
  parent: Group | null
  position: number | undefined
  /** Whether a file says what it is. Otherwise, only new categories are created. */
  isWritten: boolean
  details?: object | undefined
}

interface PlaceInput extends Place {
  files: readonly NamedFile[]
  menu: readonly MenuItem[]
  /** The file that an entry of the menu names. */
  find: (target: string) => string | undefined
  labels: ReadonlyMap<string, FolderLabel>
  /** The folder of the texts, which is no category. */
  root: string
}

const NAME_LENGTH_MAX = 100

/** Decides in which category each file is, and which categories there have to be: by the menu, else by the folders. */
export async function placeInCategories({ db, orgId, base, files, menu, find, labels, root }: PlaceInput) {
  const groups = new Map<string, Group>()
  const byFile = new Map<string, Group | null>()
  placeByMenu(menu, find, groups, byFile)
  for (const { path } of files)
    if (!byFile.has(path)) byFile.set(path, groupOfFolder(foldersOf(path), labels, groups, root))

  const used = new Set<Group>()
  for (const placed of byFile.values()) for (let each = placed; each !== null; each = each.parent) used.add(each)
  const existing = new Set((await listAllCategories(db, orgId, base.id)).map(({ slug }) => slug))
  const wanted = new Map(
    [...groups.values()].filter((group) => used.has(group)).map((group) => [group, slugify(group.words, 'topic')]),
  )
  const elsewhere = new Set<string>()
  for (const chunk of inChunks([...wanted.values()])) {
    for (const slug of await selectCategorySlugsElsewhere(db, orgId, base.id, chunk)) elsewhere.add(slug)
  }
  const slugs = new Map<Group, string>()
  const entries = new Map<string, object>()
  for (const [group, slug] of wanted) {
    const own = elsewhere.has(slug) ? slugify(`${base.slug} ${slug}`, 'topic') : slug
    slugs.set(group, own)
    if (entries.has(own) || (existing.has(own) && !group.isWritten)) continue
    const { name, parent, position, details } = group
    const order = position === undefined ? {} : { sort_order: position }
    entries.set(own, { slug: own, name, parent: parent && (slugs.get(parent) ?? null), ...order, ...details })
  }
  const slugOf = (path: string): string | null => {
    const group = byFile.get(path)
    return group == null ? null : (slugs.get(group) ?? null)
  }
  return { slugOf, yaml: entries.size === 0 ? '' : toYaml([...entries.values()]) }
}

/** A page with others below it is in a category of its own, too. */
function placeByMenu(
  menu: readonly MenuItem[],
  find: PlaceInput['find'],
  groups: Map<string, Group>,
  byFile: Map<string, Group | null>,
): void {
  const place = (items: readonly MenuItem[], parent: Group | null, depth: number) => {
    for (const [position, { title, target, items: inner, details }] of items.entries()) {
      const path = target === undefined ? undefined : find(target)
      const name =
        title ||
        (path === undefined
          ? ''
          : toTitle(
              path
                .split('/')
                .at(-1)
                ?.replace(/\.[^.]*$/, '') ?? '',
            ))
      const isGroup = inner.length > 0 && name !== '' && depth < 10
      const group = isGroup ? add(groups, { name, parent, position, isWritten: true, details }) : parent
      if (path !== undefined && !byFile.has(path)) byFile.set(path, group)
      place(inner, group, depth + 1)
    }
  }
  place(menu, null, 0)
}

function groupOfFolder(
  folders: readonly string[],
  labels: ReadonlyMap<string, FolderLabel>,
  groups: Map<string, Group>,
  root: string,
): Group | null {
  let parent: Group | null = null
  const isInRoot = root !== '' && `${folders.join('/')}/`.startsWith(`${root}/`)
  for (const [n, folder] of folders.entries()) {
    if (isInRoot && n < root.split('/').length) continue
    const label = labels.get(folders.slice(0, n + 1).join('/'))
    const name = label?.name ?? toTitle(folder)
    parent = add(groups, { name, parent, position: label?.position, isWritten: label !== undefined }, folder)
  }
  return parent
}

function add(groups: Map<string, Group>, group: Omit<Group, 'key' | 'words'>, folder?: string): Group {
  const word = folder ?? group.name
  const key = `${group.parent?.key ?? ''}/${folder === undefined ? 'menu:' : ''}${word}`
  const known = groups.get(key)
  if (known !== undefined) return known
  const words = group.parent === null ? word : `${group.parent.words} ${word}`
  const added = { ...group, name: [...group.name].slice(0, NAME_LENGTH_MAX).join(''), key, words }
  groups.set(key, added)
  return added
}
