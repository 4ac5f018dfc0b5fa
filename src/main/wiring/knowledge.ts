import type { PublicHosts } from '../../modules/domains/custom-domains/index.ts'
import { createDiffer } from '../../modules/knowledge/article-versions/index.ts'
import { mountHelpCentre } from '../../modules/knowledge/help-centre/index.ts'
import { startIndexing } from '../../modules/knowledge/indexing/index.ts'
import type { DomainGroup } from './domains.ts'
import type { Ground } from './ground.ts'

export function wireKnowledge(ground: Ground, { addresses }: DomainGroup) {
  const { markdown, server, metrics, shutdown } = ground
  const differ = createDiffer(metrics)
  shutdown.atLast(() => differ.close())
  return {
    settings: { markdown, differ },

    mountHelpCentre(hosts: PublicHosts): ReturnType<typeof mountHelpCentre> {
      const helpCentre = mountHelpCentre(server, { ...ground, addresses, hosts })
      shutdown.atLast(() => helpCentre.close())
      return helpCentre
    },

    startWork: () => shutdown.atLast(startIndexing({ ...ground, publicUrlOf: addresses.urlOf })),
  }
}

export type KnowledgeGroup = ReturnType<typeof wireKnowledge>
