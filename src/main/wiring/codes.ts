import { join } from 'node:path'
import { UploadedLogos } from '../../modules/codes/code-images/index.ts'
import { createImageDownloads } from '../../modules/codes/products/index.ts'
import {
  createScans,
  mountResolverDescription,
  openScanRecorder,
  openSimulation,
} from '../../modules/codes/scan/index.ts'
import { openSchedules } from '../../modules/codes/schedules/index.ts'
import type { PublicHosts } from '../../modules/domains/custom-domains/index.ts'
import { SYSTEM } from '../../platform/audit/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import { LogoImages } from '../../platform/images/index.ts'
import { operatorContext } from '../operator-context.ts'
import type { AssetGroup } from './assets.ts'
import type { DomainGroup } from './domains.ts'
import type { Ground } from './ground.ts'
import { watchRecorder } from './recorders.ts'

type ScanSettings = Parameters<typeof createScans>[4]

export function wireCodes(ground: Ground, { settings: assets, store }: AssetGroup) {
  const { config, database, health, keyring, log, server, outbound, addressOf, clock, metrics, settling, shutdown } =
    ground
  const recorder = watchRecorder(ground, 'scans', (folder) => openScanRecorder(database, folder, clock, log))
  const products = { ...assets, outbound, downloads: createImageDownloads(metrics) }
  const { countryHeader, geoipFile } = config.location
  const knowsCountries = countryHeader !== undefined || geoipFile !== undefined
  return {
    createSettings: ({ addresses, openHosts }: DomainGroup) => ({
      products,
      logos: new UploadedLogos(store, new LogoImages(metrics)),
      rules: {
        knowsCountries,
        addressesOf: async (orgId: OrgId) => [config.publicUrl, await addresses.urlOf(orgId)],
      },
      simulate: openSimulation(database, openHosts, clock, { recorder, knowsCountries, publicUrl: config.publicUrl }),
    }),

    /** Lets what organisations have scheduled become effective. Every process does it, before its reads. */
    startSchedules({ addresses }: DomainGroup) {
      const contextOf = (orgId: OrgId) => operatorContext(database, orgId, clock, SYSTEM)()
      const schedules = openSchedules({ database, clock, log, publicUrlOf: addresses.urlOf, products, contextOf })
      settling.watchChanges(schedules)
      shutdown.atLast(() => schedules.close())
    },

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
