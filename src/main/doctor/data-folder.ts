import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type DoctorCheck, fail, pass, warn } from './check.ts'

/** A busy day, or one backup on the same disk, can fill a disk with less free space. */
const FREE_BYTES_MIN = 500_000_000
const FREE_BYTES_GOOD = 2_000_000_000

/** Writes to the folder: that is the only way to find out about permissions, quotas and read-only mounts. */
export async function checkDataFolder(dataDir: string): Promise<DoctorCheck> {
  try {
    await rm(await mkdtemp(join(dataDir, '.doctor-')), { recursive: true })
    const { bavail, bsize } = await statfs(dataDir)
    return judge(dataDir, bavail * bsize)
  } catch (error) {
    return fail('Data folder', (error as Error).message, `Make ${dataDir} writable for the user that runs Waymark.`)
  }
}

export function judge(dataDir: string, freeBytes: number): DoctorCheck {
  const detail = `${dataDir} is writable, ${(freeBytes / 1e9).toFixed(1)} GB free`
  const remedy = 'Free some space, or move DATA_DIR to a larger disk.'
  if (freeBytes < FREE_BYTES_MIN) return fail('Data folder', detail, remedy)
  return freeBytes < FREE_BYTES_GOOD ? warn('Data folder', detail, remedy) : pass('Data folder', detail)
}
