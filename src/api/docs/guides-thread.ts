import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { createRenderer } from '../../platform/markdown/renderer.ts'
import { fileUrl } from './guides.ts'
import { type Guide, type RenderSettings, renderGuide } from './render-guide.ts'

const settings: RenderSettings = workerData
const renderer = createRenderer()
const guides: Guide[] = settings.files.map((file) =>
  renderGuide(renderer, file, readFileSync(fileUrl(file.path), 'utf8'), settings),
)
parentPort?.postMessage(guides)
