import { createPage, type PageWithBlocks } from '../../modules/pages/pages/index.ts'
import type { Context } from '../../platform/http/index.ts'

/** Creates a page on which people report a fault of the machine that they scanned. */
export const createFaultReport = (ctx: Context, publicUrl: string): Promise<PageWithBlocks> =>
  createPage(
    ctx,
    {
      title: 'Report a fault',
      slug: 'report-a-fault',
      description: 'On all coffee machines of our own offices',
      status: 'active',
      template: 'fault-report',
      background: {
        type: 'gradient',
        value: 'linear-gradient(160deg, #f1e9dc, #e6c9a8)',
        animated: false,
        locked: false,
      },
      island: { roundness: 24, shadow: 'small' },
    },
    publicUrl,
  )
