import type { Uploads } from '../../modules/assets/uploads/index.ts'
import type { PublicHosts } from '../../modules/domains/custom-domains/index.ts'
import { mountForms, mountPages, openViewRecorder } from '../../modules/pages/public-pages/index.ts'
import { Submissions } from '../../modules/pages/submissions/index.ts'
import type { DomainGroup } from './domains.ts'
import type { Ground } from './ground.ts'
import type { MailGroup } from './mail.ts'
import { watchRecorder } from './recorders.ts'

export function wirePages(ground: Ground, { mails }: MailGroup, { addresses }: DomainGroup) {
  const { config, database, server, shutdown } = ground
  const { publicUrl, formsPerMinute } = config
  const views = watchRecorder(ground, 'views', (folder) => openViewRecorder(database, folder, ground.log))
  return {
    /** Adds public pages and their forms. */
    mountPages(hosts: PublicHosts, uploads: Uploads): ReturnType<typeof mountPages> {
      const pages = mountPages(server, { ...ground, addresses, publicUrl, hosts, views })
      shutdown.atLast(async () => pages.close())
      const submissions = new Submissions({ database, mails, publicUrlOf: addresses.urlOf })
      mountForms(server, { ...ground, pages: pages.requestServices, submissions, uploads, formsPerMinute })
      return pages
    },
  }
}

export type PageGroup = ReturnType<typeof wirePages>
