/**
 * `npm run release -- 0.3.0`, or `minor`, `patch` or `major`: makes the commit of a release, ready to be tagged. See
 * docs/versions.md.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { systemClock, timestamp } from '../src/platform/clock/index.ts'
import { addSection, findUnreleased, nextVersion, setVersion } from './release-files.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** The files that carry the version, besides the changelog and openapi.json. */
const PACKAGES = ['package.json', 'package-lock.json', 'packages/sdk/package.json']

const git = (...args: string[]): string => execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim()
const read = (path: string): string => readFileSync(ROOT + path, 'utf8')
const write = (path: string, text: string): void => writeFileSync(ROOT + path, text)

/** Checks everything before it changes anything. */
function plan(wanted: string | undefined): { version: string; files: Record<string, string> } {
  if (git('status', '--porcelain') !== '')
    throw new Error('There are changes that are not committed. Commit them first.')
  const current = JSON.parse(read('package.json')).version as string
  const changelog = read('CHANGELOG.md')
  const isReleased = (version: string) =>
    git('tag', '--list', `v${version}`) !== '' || changelog.includes(`\n## ${version} `)
  const version = nextVersion(current, isReleased(current), wanted)
  if (isReleased(version)) {
    throw new Error(`${version} was released already. Choose a later version.`)
  }
  if (findUnreleased(changelog) === '') throw new Error('CHANGELOG.md has nothing under "Unreleased". Write it first.')
  if (read('package-lock.json').includes('"resolved":')) {
    throw new Error('package-lock.json has download addresses ("resolved"). Remove them first.')
  }
  const today = timestamp(systemClock()).slice(0, 10)
  const files = Object.fromEntries(PACKAGES.map((path) => [path, setVersion(read(path), version)]))
  return { version, files: { ...files, 'CHANGELOG.md': addSection(changelog, version, today) } }
}

async function release(wanted: string | undefined): Promise<void> {
  const { version, files } = plan(wanted)
  for (const [path, text] of Object.entries(files)) write(path, text)
  // Reads the version when it is loaded.
  const { openApiDocument } = await import('../src/api/openapi.ts')
  write('openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`)
  git('add', ...Object.keys(files), 'openapi.json')
  git('commit', '--quiet', '--message', `Release ${version}`)
  console.log(`Made the commit of ${version}. When all checks pass on it, tag it:

  git tag --annotate v${version} --message "Waymark ${version}"
  git push --follow-tags`)
}

try {
  await release(process.argv[2])
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
