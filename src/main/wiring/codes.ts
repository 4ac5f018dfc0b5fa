import { UploadedLogos } from '../../modules/codes/code-images/index.ts'
import { createImageDownloads } from '../../modules/codes/products/index.ts'
import { mountResolverDescription, mountScan } from '../../modules/codes/scan/index.ts'
import type { PublicHosts } from '../../modules/domains/custom-domains/index.ts'
import { LogoImages } from '../../platform/images/index.ts'
import type { AssetGroup } from './assets.ts'
import type { Ground } from './ground.ts'
import { journalFolder } from './journal-folder.ts'

type ScanSettings = Parameters<typeof mountScan>[4]

export function wireCodes(ground: Ground, { settings: assets, store }: AssetGroup) {
  const { config, database, keyring, server, outbound, addressOf, clock, metrics, shutdown } = ground
  return {
    createSettings: () => ({
      products: { ...assets, outbound, downloads: createImageDownloads(metrics) },
      logos: new UploadedLogos(store, new LogoImages(metrics)),
    }),

    async mountScan(hosts: PublicHosts, destinations: Pick<ScanSettings, 'showPage' | 'isOpen'>): Promise<void> {
      const { publicUrl, location } = config
      const journalDir = journalFolder(ground, 'scans')
      const settings = { ...destinations, publicUrl, hosts, journalDir, location, addressOf, keyring }
      shutdown.atLast(await mountScan(server, database, clock, ground, settings))
      mountResolverDescription(server, hosts, publicUrl)
    },
  }
}

export type CodeGroup = ReturnType<typeof wireCodes>
