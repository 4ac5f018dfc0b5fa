import { join, posix } from 'node:path'
import { ORDER_FOLDERS, readIfThere } from './navigation/order-file.ts'

/** A tool whose texts mean something else than those of other tools. */
export type Tool = 'docusaurus' | 'hugo' | 'jekyll' | 'mintlify' | 'mkdocs'

const named = (tool: Tool, ...names: string[]): [string, Tool][] => names.map((name) => [name, tool])

/** The settings of tools, by the names of their files. */
const SETTINGS = new Map<string, Tool>([
  ...['js', 'ts', 'mjs', 'cjs'].flatMap((extension) =>
    named('docusaurus', `docusaurus.config.${extension}`, `sidebars.${extension}`),
  ),
  ...named('mintlify', 'mint.json', 'docs.json'),
  ...named('mkdocs', 'mkdocs.yml', 'mkdocs.yaml'),
  ...named('hugo', 'hugo.toml', 'hugo.yaml', 'hugo.json', 'config.toml'),
  ...named('jekyll', '_config.yml', '_config.yaml'),
])
/** Other programs have files of these names, too. */
const CONTENTS = new Map([
  ['docs.json', /"navigation"/],
  ['config.toml', /^\s*baseURL\s*=/im],
])
/** This setting makes Docusaurus read `.md` as Markdown, like tools that we do not know. */
const PLAIN_MARKDOWN = /\bformat\s*:\s*['"](?:detect|md)['"]/

/**
 * Finds out which tool a folder was written for. Undefined if nothing says so. A folder that was taken out of its site may
 * still have labels, which only Docusaurus writes.
 */
export async function findTool(dir: string, hasLabels: boolean): Promise<Tool | undefined> {
  for (const folder of ORDER_FOLDERS) {
    for (const [name, tool] of SETTINGS) {
      const text = await readIfThere(join(dir, posix.join(folder, name)))
      if (text === undefined || CONTENTS.get(name)?.test(text) === false) continue
      return tool === 'docusaurus' && PLAIN_MARKDOWN.test(text) ? undefined : tool
    }
  }
  return hasLabels ? 'docusaurus' : undefined
}
