import { serve } from '../bounded/serve.ts'
import { createRenderer, type PlainText } from './renderer.ts'

export interface MarkdownTask {
  to: 'html' | 'plain'
  markdown: string
}

const { toHtml, check } = createRenderer()

serve(({ to, markdown }: MarkdownTask): string | PlainText => (to === 'html' ? toHtml(markdown) : check(markdown)))
