const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/
const UNRELEASED = '## Unreleased\n'

/**
 * The version to release. If `current`, that of package.json, was not released yet, a step that it already takes is not
 * taken again: after 0.1.4, 0.2.0 is the next minor version until it is released.
 */
export function nextVersion(current: string, isReleased: boolean, wanted: string | undefined): string {
  const [major, minor, patch] = toNumbers(current)
  const isMinor = !isReleased && patch === 0
  const steps: Record<string, string> = {
    major: isMinor && minor === 0 ? current : `${major + 1}.0.0`,
    minor: isMinor ? current : `${major}.${minor + 1}.0`,
    patch: isReleased ? `${major}.${minor}.${patch + 1}` : current,
  }
  const version = steps[wanted ?? ''] ?? wanted
  if (version === undefined || !VERSION.test(version)) {
    throw new Error('Name the version: npm run release -- 0.3.0, or minor, patch or major.')
  }
  const isLower = version.localeCompare(current, 'en', { numeric: true }) < 0
  if (isLower) throw new Error(`${version} is lower than ${current}.`)
  return version
}

function toNumbers(version: string): [number, number, number] {
  const [, major, minor, patch] = VERSION.exec(version) ?? []
  return [Number(major), Number(minor), Number(patch)]
}

/** What the next release brings. */
export const findUnreleased = (changelog: string): string => split(changelog).notes

/** Moves what is under "Unreleased" to a section of the version. */
export function addSection(changelog: string, version: string, date: string): string {
  const { before, notes, after } = split(changelog)
  return `${before}${UNRELEASED}\n## ${version} (${date})\n\n${notes}\n${after === '' ? '' : `\n${after}`}`
}

function split(changelog: string): { before: string; notes: string; after: string } {
  const start = changelog.indexOf(`\n${UNRELEASED}`)
  if (start === -1) throw new Error('CHANGELOG.md has no section "## Unreleased".')
  const from = start + 1 + UNRELEASED.length
  const next = changelog.indexOf('\n## ', from)
  const end = next === -1 ? changelog.length : next + 1
  return {
    before: changelog.slice(0, start + 1),
    notes: changelog.slice(from, end).trim(),
    after: changelog.slice(end),
  }
}

/** Replaces the package's own version, and nothing else, so that a review shows one line. The lock file has it twice. */
export function setVersion(text: string, version: string): string {
  const parsed = JSON.parse(text)
  parsed.version = version
  if (parsed.packages?.[''] !== undefined) parsed.packages[''].version = version
  return `${JSON.stringify(parsed, null, 2)}\n`
}
