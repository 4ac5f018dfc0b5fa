import { timestamp } from '../../../../platform/clock/index.ts'
import { columnsOf, type Database } from '../../../../platform/db/index.ts'
import { newIdAt } from '../../../../platform/ids/index.ts'
import { Journal, Recorder } from '../../../../platform/recording/index.ts'
import type { Logger } from '../../../../platform/telemetry/logging.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { type StoredView, storeViews } from './store-views.ts'

export type ViewRecorder = Recorder<StoredView>

/** Views wait in `journalDir` while the database is away. The folder must belong to this database alone. */
export const openViewRecorder = (database: Database, journalDir: string, log: Logger): ViewRecorder =>
  new Recorder<StoredView>({
    journal: new Journal<StoredView>(journalDir, {
      entries: 'views',
      version: columnsOf('page_views').length,
      upgrade: (_version, entry) => entry as StoredView,
    }),
    store: (views) => storeViews(database, views),
    names: { one: 'view', several: 'views' },
    describe: (view) => view,
    log,
  })

/** Resolves when the view is durable, or lost: the page is shown all the same. */
export const recordView = (recorder: ViewRecorder, { id, orgId }: PublicPage, nowMs: number): Promise<void> =>
  new Promise((resolve) => {
    const view = { org_id: orgId, id: newIdAt(nowMs), page_id: id, viewed_at: timestamp(nowMs) }
    recorder.record(view, resolve)
  })
