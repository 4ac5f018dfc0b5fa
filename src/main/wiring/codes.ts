import { join } from 'node:path'
import { UploadedLogos } from '../../modules/codes/code-images/index.ts'
import { createImageDownloads } from '../../modules/codes/products/index.ts'
import { createScans, mountResolverDescription, openScanRecorder } from '../../modules/codes/scan/index.ts'
import type { PublicHosts } from '../../modules/domains/custom-domains/index.ts'
import { LogoImages } from '../../platform/images/index.ts'
import type { AssetGroup } from './assets.ts'
import type { Ground } from './ground.ts'
import { watchRecorder } from './recorders.ts'

type ScanSettings = Parameters<typeof createScans>[4]

export function wireCodes(ground: Ground, { settings: assets, store }: AssetGroup) {
  const { config, database, health, keyring, log, server, outbound, addressOf, clock, metrics, shutdown } = ground
  const recorder = watchRecorder(ground, 'scans', (folder) => openScanRecorder(database, folder, clock, log))
  return {
    createSettings: () => ({
      products: { ...assets, outbound, downloads: createImageDownloads(metrics) },
      logos: new UploadedLogos(store, new LogoImages(metrics)),
    }),

    /** Returns what handles scans. Adds the file that describes them to programs. */
    async createScans(hosts: PublicHosts, destinations: Pick<ScanSettings, 'showPage' | 'isOpen'>) {
      const { publicUrl, appUrl, location, dataDir } = config
      health.watchFolder('scans', join(dataDir, 'scans'))
      const settings = { ...destinations, publicUrl, appUrl, hosts, recorder, location, addressOf, keyring }
      const { handler, close } = await createScans(server, database, clock, ground, settings)
      shutdown.atLast(async () => close())
      mountResolverDescription(server, hosts, publicUrl)
      return handler
    },
  }
}

export type CodeGroup = ReturnType<typeof wireCodes>
