import { expect, test } from 'vitest'
import { addSection, findUnreleased, nextVersion, setVersion } from './release-files.ts'

const CHANGELOG = `# Changelog

## Unreleased

### Upgrade

- Set something first.

### Added

- Something.

### Removed

- Something else.

## 0.2.0 (2026-11-18)

- The first.
`

test.each([
  ['0.2.0', 'patch', '0.2.1'],
  ['0.2.9', 'minor', '0.3.0'],
  ['0.9.1', 'major', '1.0.0'],
  ['0.2.0', '0.10.0', '0.10.0'],
  ['0.2.0', '0.2.0', '0.2.0'],
])('from %s, %s is %s', (current, wanted, version) => {
  expect(nextVersion(current, true, wanted)).toBe(version)
})

test.each([
  ['0.2.0', 'patch', '0.2.0'],
  ['0.2.0', 'minor', '0.2.0'],
  ['0.2.0', 'major', '1.0.0'],
  ['0.2.1', 'patch', '0.2.1'],
  ['0.2.1', 'minor', '0.3.0'],
  ['1.0.0', 'major', '1.0.0'],
  ['0.2.0', '0.2.0', '0.2.0'],
  ['0.2.0', '0.3.0', '0.3.0'],
])('from %s, which was not released yet, %s is %s', (current, wanted, version) => {
  expect(nextVersion(current, false, wanted)).toBe(version)
})

test.each([undefined, '', 'next', 'v0.3.0', '0.3', '0.03.0', '0.1.9'])('refuses %s', (wanted) => {
  expect(() => nextVersion('0.2.0', true, wanted)).toThrow()
  expect(() => nextVersion('0.2.0', false, wanted)).toThrow()
})

test('moves what is unreleased to a section of the version, and leaves the rest as it is', () => {
  expect(findUnreleased(CHANGELOG)).toMatch(/^### Upgrade\n.*\n### Removed\n\n- Something else\.$/s)
  const released = addSection(CHANGELOG, '0.3.0', '2026-12-01')
  expect(released).toBe(CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n## 0.3.0 (2026-12-01)\n'))
  expect(findUnreleased(released)).toBe('')
  expect(addSection('# Changelog\n\n## Unreleased\n\n- First.\n', '0.2.0', '2026-11-18')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-18)\n\n- First.\n',
  )
})

test('sets the version of a package, of which a lock file has two', () => {
  const lock = {
    name: 'waymark',
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, 'node_modules/a': { version: '0.2.0' } },
  }
  expect(JSON.parse(setVersion(JSON.stringify(lock), '0.3.0'))).toEqual({
    ...lock,
    version: '0.3.0',
    packages: { '': { version: '0.3.0' }, 'node_modules/a': { version: '0.2.0' } },
  })
})
