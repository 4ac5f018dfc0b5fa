import { join } from 'node:path'
import type { Recorder } from '../../platform/recording/index.ts'
import type { Ground } from './ground.ts'

/**
 * Opens a recorder, and tells everybody who has to know. Every process has one, also those that record nothing: they fold
 * what others have recorded before they read it.
 */
export function watchRecorder<Entry>(
  { config, health, keyring, metrics, settling, shutdown }: Ground,
  name: string,
  open: (folder: string) => Recorder<Entry>,
): Recorder<Entry> {
  // It belongs to this database alone.
  const recorder = open(join(config.dataDir, name, keyring.installationId))
  shutdown.atLast(() => recorder.close())
  health.watchAlarm(() => recorder.alarm)
  metrics.watchRecorder(name, recorder)
  settling.watch(recorder)
  return recorder
}
