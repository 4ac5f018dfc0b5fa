import { expect } from 'vitest'
import {
  type Answer,
  Answering,
  type AnsweringBot,
  type AskedQuestion,
  createEmbeddedAnswerer,
} from '../../modules/chat/answering/index.ts'
import type { Language } from '../../platform/contract/languages.ts'
import { newId } from '../../platform/ids/index.ts'
import { eventually } from '../eventually.ts'
import type { Harness, Tenant } from '../harness.ts'

/** An organisation whose articles are published through the API and indexed by the worker. */
export class Library {
  readonly #harness: Harness
  readonly tenant: Tenant
  readonly base: string

  constructor(harness: Harness, tenant: Tenant, base: string) {
    this.#harness = harness
    this.tenant = tenant
    this.base = base
  }

  static async create(harness: Harness): Promise<Library> {
    const tenant = await harness.createTenant()
    return new Library(harness, tenant, await createKnowledgeBase(tenant))
  }

  async publish(title: string, content: string, more: object = {}): Promise<string> {
    const body = { knowledge_base_id: this.base, title, content, status: 'published', ...more }
    const { status, body: article } = await this.tenant.post('/v1/articles', body)
    expect(status).toBe(201)
    await this.indexed(article.id)
    return article.id
  }

  indexed(id: string): Promise<unknown> {
    return eventually(async () => (await this.tenant.get(`/v1/articles/${id}`)).body.indexing_status === 'indexed')
  }

  ask(text: string, bot: Partial<AnsweringBot> = {}, more: Partial<AskedQuestion> = {}): Promise<Answer> {
    const answering = new Answering({
      read: this.#harness.service.database.read,
      publicUrlOf: () => 'https://acme.example',
      embedded: createEmbeddedAnswerer(),
    })
    const question = {
      bot: {
        id: newId(),
        orgId: this.tenant.orgId,
        name: 'Acme',
        model: null,
        systemPrompt: null,
        tone: null,
        articleIds: [],
        categoryIds: [],
        knowledgeBaseIds: [],
        humanSupport: false,
        ...bot,
      },
      text,
      language: 'en' as Language,
      history: [],
      facts: new Map(),
      ...more,
    }
    return answering.ask(question, { signal: new AbortController().signal })
  }

  /** The articles that an answer cites. */
  async cited(text: string, bot: Partial<AnsweringBot> = {}): Promise<string[]> {
    return (await this.ask(text, bot)).citations.map(({ article_id }) => article_id)
  }
}

export async function createKnowledgeBase(tenant: Tenant, is_published = true): Promise<string> {
  return (await tenant.post('/v1/knowledge-bases', { name: 'Help', is_published })).body.id
}
