import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { AREAS } from '../modules/account/scopes/index.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILES = globSync('**', { cwd: ROOT, exclude: ['node_modules', '.git', 'data', 'packages/*/node_modules'] })
const TOP_LEVEL = new Set(FILES.filter((path) => !path.includes('/') && path !== '.'))
/** Names of files with and without their endings, and of folders. */
const NAMES = new Set(FILES.flatMap((path) => [basename(path), basename(path).replace(/\.\w+$/, '')]))

/** ADRs and the changelog speak of their day. */
const DOCUMENTS = FILES.filter(
  (path) => path.endsWith('.md') && !path.startsWith('docs/adr/') && path !== 'CHANGELOG.md',
)

/** Their readers have the code open, so everything in them that looks like a path must be one. */
const FOR_DEVELOPERS = /^(ARCHITECTURE|CONTRIBUTING)\.md$|\/CONTEXT\.md$/

/** Excludes addresses, which begin with a slash or contain a colon, and commands, which contain a space. */
const LOOKS_LIKE_A_PATH = /^[\w.*<-][\w.*<>-]*(?:\/[\w.*<>-]+)*\/?$/
const FILE_ENDING = /[\w*>]\.(ts|js|mjs|json|md|sql|css|yaml)$/
/** Such as `scan-row`: one of our files or folders, or a package. */
const KEBAB_CASE = /^[a-z]+(-[a-z]+)+$/
const MEDIA_TYPE = /^(application|image|text)\//
const CODE = /```.*?```|`[^`]*`/gs

const quotedIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, quoted]) => quoted as string)

const isPath = (document: string, quoted: string): boolean => {
  if (!LOOKS_LIKE_A_PATH.test(quoted) || MEDIA_TYPE.test(quoted)) return false
  if (FOR_DEVELOPERS.test(document)) return quoted.includes('/') || FILE_ENDING.test(quoted) || KEBAB_CASE.test(quoted)
  return quoted.includes('/') && TOP_LEVEL.has(quoted.split('/', 1)[0] as string)
}

/** Paths begin at the root, in `src` or in the document's folder. A name without a folder is that of any file. */
function exists(document: string, quoted: string): boolean {
  const path = quoted.replace(/\/$/, '').replaceAll(/<[^>]+>/g, '*')
  const candidates = [path, `src/${path}`, join(dirname(document), path), `node_modules/${path}`]
  if (!path.includes('*')) return candidates.some((one) => existsSync(ROOT + one)) || NAMES.has(path)
  return FILES.some((file) => candidates.some((one) => matchesGlob(file, one)) || matchesGlob(basename(file), path))
}

const textOf = (document: string): string => readFileSync(ROOT + document, 'utf8')

test('every path in backticks exists', () => {
  const quoted = DOCUMENTS.flatMap((document) =>
    quotedIn(textOf(document))
      .filter((one) => isPath(document, one))
      .map((path) => ({ document, path })),
  )
  expect(quoted.length).toBeGreaterThan(200)
  expect(quoted.filter(({ document, path }) => !exists(document, path))).toEqual([])
})

test('every relative link leads to a file', () => {
  const links = DOCUMENTS.flatMap((document) =>
    [
      ...textOf(document)
        .replaceAll(CODE, '')
        .matchAll(/\]\((?!\w+:|[/#])([^)#\s]+)/g),
    ].map(([, link]) => ({ document, link })),
  )
  expect(links.filter(({ document, link }) => !existsSync(join(ROOT, dirname(document), link as string)))).toEqual([])
})

test('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const named = DOCUMENTS.flatMap((document) =>
    [...textOf(document).matchAll(/\bnpm run ([\w:]+)/g)].map(([, script]) => ({ document, script })),
  )
  expect(named.filter(({ script }) => !Object.hasOwn(scripts, script as string))).toEqual([])
})

test('examples use the variables that the introduction defines, and no program that some systems lack', () => {
  const guides = DOCUMENTS.filter((document) => document.startsWith('docs/'))
  const blocks = guides.flatMap((document) => {
    const found = textOf(document).matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)
    return [...found].map(([, language = '', code = '']) => ({ document, language, code }))
  })
  // What is sent and returned may show the address of any installation.
  const requests = blocks.filter(({ language, code }) => code.includes('/v1/') && !/^(json|http)?$/.test(language))
  expect(requests.map(({ language }) => language)).toEqual(expect.arrayContaining(['sh', 'js', 'python']))
  expect(requests.filter(({ code }) => !code.includes('WAYMARK_URL'))).toEqual([])
  const local = blocks.filter(({ code }) => code.includes('//localhost:8080'))
  expect(local.map(({ document }) => document)).toEqual(['docs/introduction.md'])
  const examples = blocks.filter(({ language }) => language === 'sh')
  const calls = examples.filter(({ code }) => /\bcurl\b[^|]*\/v1\//.test(code))
  expect(calls.length).toBeGreaterThan(20)
  expect(calls.filter(({ code }) => !code.includes('"$WAYMARK_URL/v1/'))).toEqual([])
  // A guide may also show how to get something from another service.
  const ours = examples.filter(({ code }) => code.includes('$WAYMARK_URL'))
  const keys = ours.filter(({ code }) => /Bearer (?!\$WAYMARK_API_KEY"|\$ACCESS_TOKEN")/.test(code))
  expect(keys).toEqual([])
  expect(examples.filter(({ code }) => code.includes('uuidgen'))).toEqual([])
  for (const name of ['WAYMARK_URL', 'WAYMARK_API_KEY']) {
    expect(guides.filter((document) => textOf(document).includes(`export ${name}=`))).toEqual(['docs/introduction.md'])
  }
})

test('the architecture names every room of every group, and every folder of the platform', () => {
  const [, modules = '', platform = ''] = textOf('ARCHITECTURE.md').split(/^## (?:Modules|Platform|A request)$/m)
  const rows = new Map([...modules.matchAll(/^\| `(\w+)` (.*)$/gm)].map(([, group, rooms]) => [group, rooms ?? '']))
  const names = (text: string, name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text)
  const rooms = globSync('src/modules/*/*/', { cwd: ROOT }).map((path) => path.split('/').slice(2) as [string, string])
  expect(rooms.length).toBeGreaterThan(60)
  expect(rooms.filter(([group, room]) => !names(rows.get(group) ?? '', room))).toEqual([])
  const folders = globSync('src/platform/*/', { cwd: ROOT }).map((path) => basename(path))
  expect(folders.filter((folder) => !platform.includes(`\`${folder}\``))).toEqual([])
})

test('the guide to authentication explains every area', () => {
  const guide = textOf('docs/authentication.md')
  expect(AREAS.filter((area) => !guide.includes(`| \`${area}\` |`))).toEqual([])
})
