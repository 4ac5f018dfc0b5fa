import type { AttackOrder } from '../fairness/attacker.ts'
import { startImageHost } from '../fairness/scenarios/image-downloads.ts'
import type { Stage } from '../fairness/stage.ts'
import { randomWords } from '../fairness/texts.ts'

/** What the hostile tenant has. Each of its codes causes a delivery to each endpoint. */
export interface Arms {
  endpoints: number
  largeArticles: number
}

/** The attacks of the hostile tenant, and of strangers, in turn. */
export async function prepareAttacks() {
  const host = await startImageHost()
  return {
    imageHost: host.address,
    close: host.close,

    async orders(
      stage: Stage,
      endpointUrl: string,
      { endpoints, largeArticles }: Arms,
    ): Promise<Omit<AttackOrder, 'port'>[]> {
      const { client, apiKey } = await stage.createTenant('hostile')
      const create = async (path: string, body: object): Promise<string> => {
        const { status, body: created, text } = await client.post(path, body)
        if (status !== 201) throw new Error(`cannot prepare: ${text}`)
        return created.id
      }
      for (let n = 0; n < endpoints; n++)
        await create('/v1/webhooks', { url: endpointUrl, events: ['qr_code.created'] })
      const knowledge_base_id = await create('/v1/knowledge-bases', { name: 'Large' })
      const articles: string[] = []
      for (let n = 0; n < largeArticles; n++) {
        articles.push(await create('/v1/articles', { knowledge_base_id, title: `Large ${n}`, content: randomWords() }))
      }
      return [
        { attack: 'publish', apiKey, given: articles },
        { attack: 'render', apiKey, given: [knowledge_base_id] },
        { attack: 'batches', apiKey },
        { attack: 'lists', apiKey },
        { attack: 'images', apiKey, given: Array(4).fill(host.url) },
        { attack: 'slowReaders' },
        { attack: 'stalledBodies' },
        { attack: 'longHosts' },
        { attack: 'idle' },
      ]
    },
  }
}
