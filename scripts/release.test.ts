import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextVersion } from './release-files.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** What a release reads and changes, besides the changelog. */
const PARTS = [
  ...['package.json', 'package-lock.json', 'openapi.json', 'README.md'],
  ...['locales/en', 'packages/sdk', 'scripts', 'src'],
]
const isNeeded = (path: string) => !/node_modules|\.test\.ts$|\/src\/testing\//.test(path.slice(ROOT.length))

let clone: string

const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' }).trim()
const read = (path: string) => readFileSync(join(clone, path), 'utf8')
const versionIn = (path: string) => JSON.parse(read(path)).version as string
/** A section of the version below an empty "Unreleased". */
const sectionOf = (version: string) =>
  new RegExp(`\\n## Unreleased\\n\\n## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)\\n\\n- Something\\.\\n`)
const release = (...args: string[]) =>
  spawnSync(process.execPath, [join(clone, 'scripts/release.ts'), ...args], { encoding: 'utf8' })

/** Commits a note of something that is not released yet. */
function noteChange(changelog: string): void {
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog.replace('## Unreleased\n', '## Unreleased\n\n- Something.\n'))
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Add something')
}

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'waymark-release-'))
  for (const part of PARTS) {
    cpSync(join(ROOT, part), join(clone, part), { recursive: true, filter: isNeeded })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  git('init', '--quiet')
  for (const [name, value] of [
    ['user.name', 'Acme'],
    ['user.email', 'release@acme.com'],
    ['commit.gpgsign', 'false'],
    ['core.excludesFile', '/dev/null'],
  ] as const) {
    git('config', name, value)
  }
  appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\n')
  noteChange('# Changelog\n\n## Unreleased\n')
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

test('releases the version of package.json first, if it was not released yet', () => {
  const current = versionIn('package.json')
  expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining('Name the version') })
  expect(release('patch')).toMatchObject({ status: 0, stdout: expect.stringContaining(`v${current} `) })
  expect(git('show', '--name-only', '--format=')).toBe('CHANGELOG.md')
  expect(read('CHANGELOG.md')).toMatch(sectionOf(current))
})

test('makes one commit that carries the version everywhere, and says how to tag it', () => {
  noteChange(read('CHANGELOG.md'))
  const before = versionIn('package.json')
  const version = nextVersion(before, true, 'minor')
  appendFileSync(join(clone, 'README.md'), 'Not committed yet.\n')
  expect(release('minor')).toMatchObject({ status: 1, stderr: expect.stringContaining('not committed') })
  git('checkout', '--quiet', 'README.md')
  expect(release('0.0.1')).toMatchObject({ status: 1, stderr: `0.0.1 is lower than ${before}.\n` })
  expect(versionIn('package.json')).toBe(before)

  const { status, stdout, stderr } = release('minor')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain(`git tag --annotate v${version} `)
  expect(git('status', '--porcelain')).toBe('')
  expect(git('log', '-1', '--format=%s')).toBe(`Release ${version}`)
  const changed = ['CHANGELOG.md', 'openapi.json', 'package-lock.json', 'package.json', 'packages/sdk/package.json']
  expect(git('show', '--name-only', '--format=').split('\n')).toEqual(changed)
  for (const path of changed.filter((one) => one.includes('package'))) expect(versionIn(path)).toBe(version)
  expect(JSON.parse(read('package-lock.json')).packages[''].version).toBe(version)
  expect(JSON.parse(read('openapi.json')).info.version).toBe(version)
  // Nothing else in the files has changed.
  expect(git('show', '--format=', '--numstat', 'HEAD', '--', 'package.json', 'openapi.json')).toBe(
    '1\t1\topenapi.json\n1\t1\tpackage.json',
  )
  expect(read('CHANGELOG.md')).toMatch(sectionOf(version))

  expect(release(version)).toMatchObject({ status: 1, stderr: expect.stringContaining('was released already') })
  expect(release('patch')).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing under "Unreleased"') })
})
