import { timestamp } from '../../../../platform/clock/index.ts'
import { columnsOf, type Database, type Tx } from '../../../../platform/db/index.ts'
import { newIdAt } from '../../../../platform/ids/index.ts'
import { openRecorder, type Recorder, type Texts } from '../../../../platform/recording/index.ts'
import type { Logger } from '../../../../platform/telemetry/logging.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { type StoredView, storeViews } from './store-views.ts'

export type ViewRecorder = Recorder<StoredView>

/** One more than the releases had that wrote a text for each view. */
const VERSION = columnsOf('page_views').length + 1

/** Views wait in `journalDir` for their fold. The folder must belong to this database alone. */
export const openViewRecorder = (database: Database, journalDir: string, log: Logger): ViewRecorder =>
  openRecorder<StoredView>(database, journalDir, log, {
    names: { one: 'view', several: 'views' },
    version: VERSION,
    orgOf: ({ org_id }) => org_id,
    toTexts: (views) => [JSON.stringify(views)],
    split: (json) => parse(json).map((view) => JSON.stringify([view])),
    describe: (json) => parse(json)[0],
    store: storeViewTexts,
  })

export const storeViewTexts = (tx: Tx, texts: Texts): Promise<void> =>
  storeViews(
    tx,
    texts.flatMap(({ json }) => parse(json)),
  )

const parse = (json: string): StoredView[] => {
  const parsed: StoredView | StoredView[] = JSON.parse(json)
  return Array.isArray(parsed) ? parsed : [parsed]
}

/** Resolves when the view is durable, or lost: the page is shown all the same. */
export const recordView = (recorder: ViewRecorder, { id, orgId }: PublicPage, nowMs: number): Promise<void> =>
  new Promise((resolve) => {
    const view = { org_id: orgId, id: newIdAt(nowMs), page_id: id, viewed_at: timestamp(nowMs) }
    recorder.record(view, resolve)
  })
