import { ThreadPool, WAITING_LIMITS } from '../bounded/index.ts'
import type { OrgId } from '../ids/index.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { PlainText } from './renderer.ts'
import type { MarkdownTask } from './thread.ts'

export { TaskLimitExceeded } from '../bounded/index.ts'
export { type Callout, calloutKind } from './callouts.ts'
export type { Warning } from './embedded-media.ts'
export {
  type Heading,
  headingsIn,
  labelCallouts,
  linkHeadings,
  linksIn,
  replaceLinks,
  sizeImages,
} from './page-parts.ts'
export type { PlainText } from './renderer.ts'
export { makeScrollable } from './scrollable.ts'

/** Half a megabyte of ordinary, dense text takes one second. Anything slower was written to be slow. */
const RENDER_MS_MAX = 2000
/** Few texts take longer. Those who have many of them leave half of the processor time to others. */
const REST_AFTER_MS = 100
/** No half megabyte was found that needs more than 192 MB. Without a limit, one text could crash the process. */
const MEMORY_MB_MAX = 256

/**
 * Renders untrusted Markdown in threads that organisations share (`ThreadPool`). Throws `QueueFull` if too many texts of
 * the organisation are waiting.
 */
export interface Markdown {
  /**
   * Returns safe HTML. Insert it only into ancestors that it cannot itself contain: `div`, `main`, `article`. Inside a
   * `section` of the page, a stray `</section>` in the text would close the page's element.
   */
  toHtml(orgId: OrgId, markdown: string, signal?: AbortSignal): Promise<string>
  toPlain(orgId: OrgId, markdown: string, signal?: AbortSignal): Promise<PlainText>
  close(): Promise<void>
}

export function createMarkdown(threads: number, metrics?: Metrics): Markdown {
  const script = new URL('./thread.ts', import.meta.url)
  const limits = {
    ...WAITING_LIMITS,
    threads,
    taskMsMax: RENDER_MS_MAX,
    memoryMbMax: MEMORY_MB_MAX,
    restAfterMs: REST_AFTER_MS,
  }
  const pool = new ThreadPool<MarkdownTask, string | PlainText>('rendering', script, limits, metrics)
  const render = (to: MarkdownTask['to'], orgId: OrgId, markdown: string, signal: AbortSignal | undefined) =>
    pool.run(orgId, { to, markdown }, 2 * markdown.length, signal)
  return {
    // The thread returns a string for HTML, and an object for plain text.
    toHtml: (orgId, markdown, signal) => render('html', orgId, markdown, signal) as Promise<string>,
    toPlain: (orgId, markdown, signal) => render('plain', orgId, markdown, signal) as Promise<PlainText>,
    close: () => pool.close(),
  }
}
