import { familyOperations } from '../api/openapi.ts'
import { Client, type Reply } from './client.ts'

/** What only people who are signed in may do: `DELETE /v1/…`. */
const ONLY_IN_SESSION = familyOperations()
  .filter(({ onlyInSession }) => onlyInSession)
  .map(({ declared: { method, path } }) => new RegExp(`^${method} /v1${path.replace(/\{\w+\}/g, '[^/]+')}$`))

const isOnlyInSession = (method: string, path: string): boolean => {
  const request = `${method === 'HEAD' ? 'GET' : method} ${path.split('?')[0]}`
  return ONLY_IN_SESSION.some((operation) => operation.test(request))
}

/** Uses an API key. What only people may do, an owner of the organisation does. */
export class TenantClient extends Client {
  readonly #owner: () => Promise<Client>

  constructor(baseUrl: string, apiKey: string, owner: () => Promise<Client>) {
    super(baseUrl, apiKey)
    this.#owner = owner
  }

  override async request(...[method, path, init]: Parameters<Client['request']>): Promise<Reply> {
    if (!isOnlyInSession(method, path)) return super.request(method, path, init)
    return (await this.#owner()).request(method, path, init)
  }
}
