import { BoundedThread } from '../bounded-thread/index.ts'
import type { Task } from './thread.ts'

export { TooIntricate } from '../bounded-thread/index.ts'

/** Half a megabyte of ordinary, dense text takes one second. What takes longer was written to take long. */
const RENDER_MS_MAX = 2000
/** No half megabyte was found that needs more than 192 MB. Without a limit, one text could end the process. */
const MEMORY_MB_MAX = 256

/** Markdown that anybody may have written. */
export interface Markdown {
  /**
   * Safe HTML. It stays within the element that it is put into, where only such stand around it as it cannot hold itself:
   * `div`, `main`, `article`. Browsers would let a stray end tag of a `section` end the page's own.
   */
  toHtml(markdown: string): Promise<string>
  /** The words alone. */
  toPlain(markdown: string): Promise<string>
  close(): Promise<void>
}

export function createMarkdown(): Markdown {
  const script = new URL('./thread.ts', import.meta.url)
  const thread = new BoundedThread<Task, string>(script, { taskMsMax: RENDER_MS_MAX, memoryMbMax: MEMORY_MB_MAX })
  return {
    toHtml: (markdown) => thread.run({ to: 'html', markdown }),
    toPlain: (markdown) => thread.run({ to: 'plain', markdown }),
    close: () => thread.close(),
  }
}
