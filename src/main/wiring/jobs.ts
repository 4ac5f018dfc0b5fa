import { startJobs } from '../../modules/account/job-runner/index.ts'
import { codeDomains } from '../../modules/domains/custom-domain-routes/index.ts'
import { isCentrePart } from '../../modules/knowledge/public-articles/index.ts'
import { createJobCatalogue } from '../job-catalogue.ts'
import type { DomainGroup } from './domains.ts'
import type { Ground } from './ground.ts'

/** Starts what carries out jobs of all groups. */
export function startJobWork(ground: Ground, { addresses }: DomainGroup): void {
  const { config, shutdown } = ground
  const catalogue = createJobCatalogue({
    publicUrl: config.publicUrl,
    publicUrlOf: addresses.urlOf,
    domains: codeDomains(isCentrePart),
  })
  shutdown.atLast(startJobs({ ...ground, catalogue }))
}
