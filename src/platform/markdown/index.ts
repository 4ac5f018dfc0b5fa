import { BoundedThread } from '../bounded-thread/index.ts'
import type { Task } from './thread.ts'

export { TaskLimitExceeded } from '../bounded-thread/index.ts'

/** Half a megabyte of ordinary, dense text takes one second. Anything slower was written to be slow. */
const RENDER_MS_MAX = 2000
/** No half megabyte was found that needs more than 192 MB. Without a limit, one text could crash the process. */
const MEMORY_MB_MAX = 256

/** Renders untrusted Markdown. */
export interface Markdown {
  /**
   * Returns safe HTML. Insert it only into ancestors that it cannot itself contain: `div`, `main`, `article`. Inside a
   * `section` of the page, a stray `</section>` in the text would close the page's element.
   */
  toHtml(markdown: string): Promise<string>
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
