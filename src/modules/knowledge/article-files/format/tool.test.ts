import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findTool, type Tool } from './tool.ts'

test.each<[files: Record<string, string>, dir: string, tool: Tool | undefined]>([
  [{}, '.', undefined],
  [{ 'docs/mkdocs.yml': '' }, '.', 'mkdocs'],
  [{ 'website/docusaurus.config.js': '' }, 'docs', 'docusaurus'],
  [{ 'sidebars.ts': '', 'mkdocs.yml': '' }, 'docs', 'docusaurus'],
  [{ 'docusaurus.config.ts': "markdown: { format: 'detect' }" }, '.', undefined],
  [{ 'docs.json': '{ "navigation": {} }' }, '.', 'mintlify'],
  [{ 'docs.json': '[]' }, '.', undefined],
  [{ 'config.toml': 'baseURL = "https://acme.com"' }, '.', 'hugo'],
  [{ 'docs/_config.yml': '', 'mkdocs.yml': '' }, 'docs', 'jekyll'],
])('%j is found from %s', async (files, dir, tool) => {
  const root = await mkdtemp(join(tmpdir(), 'waymark-tool-'))
  try {
    // Two levels down, so that nothing else is above it.
    for (const [path, text] of Object.entries({ 'docs/a.md': '', ...files })) {
      await mkdir(dirname(join(root, 'site', path)), { recursive: true })
      await writeFile(join(root, 'site', path), text)
    }
    expect(await findTool(join(root, 'site', dir), false)).toBe(tool)
    expect(await findTool(join(root, 'site', dir), true)).toBe(
      tool ?? ('docusaurus.config.ts' in files ? undefined : 'docusaurus'),
    )
  } finally {
    await rm(root, { recursive: true })
  }
})
