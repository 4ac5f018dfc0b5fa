import { declareColours, readStyle } from '../look/index.ts'

export const STYLE =
  declareColours('page', 'text', 'muted', 'sign', 'fill', 'ink', 'sky', 'hill', 'wood', 'glow', 'cloud') +
  readStyle(import.meta.url, 'notice.css')
