import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeBuild, findCommit, thisBuild, WAYMARK_VERSION } from './build.ts'
import { createMetrics } from './metrics.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

let root: string

beforeEach(async () => {
  root = `${await mkdtemp(join(tmpdir(), 'waymark-version-'))}/`
})
afterEach(() => rm(root, { recursive: true, force: true }))

test('the commit comes from a file, as in an image', async () => {
  await writeFile(join(root, 'COMMIT'), `${COMMIT}\n`)
  expect(findCommit(root)).toBe('0123456789ab')
})

test('the commit comes from Git in a checkout', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=A', '-c', 'user.email=a@acme.com', ...args], { encoding: 'utf8' })
  git('init', '--quiet')
  expect(findCommit(root), 'before the first commit').toBeNull()
  git('commit', '--quiet', '--allow-empty', '--message', 'First')
  expect(findCommit(root)).toBe(git('rev-parse', '--short=12', 'HEAD').trim())
})

test.each(['', '$COMMIT\n', 'unknown'])('a commit that is not known is null: %j', async (content) => {
  expect(findCommit(root)).toBeNull()
  await writeFile(join(root, 'COMMIT'), content)
  expect(findCommit(root)).toBeNull()
})

test('metrics name the build', async () => {
  const { version, commit } = thisBuild()
  expect(await createMetrics().show()).toContain(`waymark_build_info{version="${version}",commit="${commit ?? ''}"} 1`)
})

test('a build is described by its version and, if it is known, its commit', () => {
  expect(thisBuild().version).toBe(WAYMARK_VERSION)
  expect(describeBuild({ version: '0.2.0', commit: '0123456789ab' })).toBe('0.2.0 (0123456789ab)')
  expect(describeBuild({ version: '0.2.0', commit: null })).toBe('0.2.0')
})
