import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { createRenderer } from '../../platform/markdown/renderer.ts'
import { entriesOf } from './entries.ts'
import { fileUrl } from './guides.ts'
import type { ApiDocument } from './reference/document.ts'
import { familyPages } from './reference/family-page.ts'
import { listOperations, operationLinks, REFERENCE_PATH } from './reference/operations.ts'
import { overviewPage } from './reference/overview-page.ts'
import { type Guide, type RenderSettings, renderGuide, textRenderer } from './render-guide.ts'
import { buildIndex, type DocsIndex } from './search-index.ts'

/** What the documentation is made of. */
export type DocsSources = Omit<RenderSettings, 'operationLinks'>

export interface PreparedDocs {
  guides: Guide[]
  /** The pages of the reference, by their path. */
  reference: Map<string, string>
  index: DocsIndex
}

const sources: DocsSources = workerData
const document: ApiDocument = JSON.parse(readFileSync(fileUrl('openapi.json'), 'utf8'))
const groups = listOperations(document)
const settings: RenderSettings = { ...sources, operationLinks: operationLinks(groups) }
const renderer = createRenderer()
const guides = sources.files.map((file) =>
  renderGuide(renderer, file, readFileSync(fileUrl(file.path), 'utf8'), settings),
)
const text = textRenderer(renderer, settings.operationLinks)
const reference = familyPages({ document, groups, appUrl: sources.appUrl, text }).set(
  REFERENCE_PATH,
  overviewPage(groups),
)
parentPort?.postMessage({ guides, reference, index: buildIndex(entriesOf(guides, groups)) } satisfies PreparedDocs)
