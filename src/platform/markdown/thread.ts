import { serve } from '../bounded/serve.ts'
import { createRenderer } from './renderer.ts'

export interface Task {
  to: 'html' | 'plain'
  markdown: string
}

const { toHtml, toPlain } = createRenderer()

serve(({ to, markdown }: Task) => (to === 'html' ? toHtml(markdown) : toPlain(markdown)))
