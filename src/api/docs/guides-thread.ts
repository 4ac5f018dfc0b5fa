import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { createRenderer } from '../../platform/markdown/renderer.ts'
import { entriesOf } from './entries.ts'
import { fileUrl } from './guides.ts'
import { operationLinks, type ReferenceGroup } from './reference.ts'
import { type Guide, type RenderSettings, renderGuide } from './render-guide.ts'
import { buildIndex, type DocsIndex } from './search-index.ts'

/** What the documentation is made of. */
export interface DocsSources extends Omit<RenderSettings, 'operationLinks'> {
  groups: readonly ReferenceGroup[]
}

export interface PreparedDocs {
  guides: Guide[]
  index: DocsIndex
}

const { groups, ...sources }: DocsSources = workerData
const settings: RenderSettings = { ...sources, operationLinks: operationLinks(groups) }
const renderer = createRenderer()
const guides = sources.files.map((file) =>
  renderGuide(renderer, file, readFileSync(fileUrl(file.path), 'utf8'), settings),
)
parentPort?.postMessage({ guides, index: buildIndex(entriesOf(guides, groups)) } satisfies PreparedDocs)
