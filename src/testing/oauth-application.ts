import * as oauth from 'oauth4webapi'
import { expect } from 'vitest'
import type { Visitor } from './visitor.ts'

/** The service listens on an unencrypted port. */
const OPTIONS = { [oauth.allowInsecureRequests]: true }
const NO_SECRET = oauth.None()

interface StartedAuthorization {
  url: URL
  state: string
  verifier: string
}

interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

/** An application of somebody else that connects to the service, with a strict client library. */
export class OAuthApplication {
  readonly #server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly redirectUri: string

  private constructor(server: oauth.AuthorizationServer, client: oauth.Client, redirectUri: string) {
    this.#server = server
    this.client = client
    this.redirectUri = redirectUri
  }

  /** Finds the authorisation server of the API, and registers. */
  static async register(baseUrl: string, name: string, redirectUri = 'https://sync.acme.example/callback') {
    const api = new URL(`${baseUrl}/v1`)
    const resource = await oauth.processResourceDiscoveryResponse(
      api,
      await oauth.resourceDiscoveryRequest(api, OPTIONS),
    )
    const issuer = new URL(resource.authorization_servers?.[0] as string)
    const found = await oauth.discoveryRequest(issuer, { ...OPTIONS, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(issuer, found)
    const metadata = { client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }
    const registered = await oauth.dynamicClientRegistrationRequest(server, metadata, OPTIONS)
    const client = await oauth.processDynamicClientRegistrationResponse(registered)
    return new OAuthApplication(server, client as oauth.Client, redirectUri)
  }

  /** The address to which the application sends a person. */
  async ask(scope: string, more: Record<string, string> = {}): Promise<StartedAuthorization> {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(this.#server.authorization_endpoint as string)
    url.search = new URLSearchParams({
      client_id: this.client.client_id,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...more,
    }).toString()
    return { url, state, verifier }
  }

  /** A person who is signed in allows what the application asks for. Returns where they are sent then. */
  async decide(
    person: Visitor,
    { url }: StartedAuthorization,
    fields: Record<string, string> = { allow: '1' },
  ): Promise<URL> {
    const asked = await person.open(url.pathname + url.search)
    expect(asked).toMatchObject({ status: 303, location: expect.stringMatching(/^\/account\/consent\/[\w-]+$/) })
    const path = asked.location as string
    const page = await person.open(path)
    expect(page.status, page.text).toBe(200)
    const organisation = /name="organisation" value="([^"]+)"/.exec(page.text)?.[1] as string
    const decided = await person.send(path, { organisation, ...fields })
    expect(decided.status, decided.text).toBe(303)
    const sent = await person.open(decided.location as string)
    expect(sent.status, sent.text).toBe(303)
    return new URL(sent.location as string)
  }

  /** Connects the application for a person who is signed in. */
  async connect(person: Visitor, scope: string): Promise<Tokens> {
    const asked = await this.ask(scope)
    return this.exchange(asked, await this.decide(person, asked))
  }

  async exchange(asked: StartedAuthorization, callback: URL): Promise<Tokens> {
    return this.#toTokens(await this.requestTokens(asked, callback))
  }

  /** Checks the callback, then asks for tokens. */
  requestTokens({ state, verifier }: StartedAuthorization, callback: URL): Promise<Response> {
    const parameters = oauth.validateAuthResponse(this.#server, this.client, callback, state)
    return oauth.authorizationCodeGrantRequest(
      this.#server,
      this.client,
      NO_SECRET,
      parameters,
      this.redirectUri,
      verifier,
      OPTIONS,
    )
  }

  async #toTokens(response: Response): Promise<Tokens> {
    return (await oauth.processAuthorizationCodeResponse(this.#server, this.client, response)) as unknown as Tokens
  }

  requestRefresh(refreshToken: string, parameters: Record<string, string> = {}): Promise<Response> {
    const options = { ...OPTIONS, additionalParameters: parameters }
    return oauth.refreshTokenGrantRequest(this.#server, this.client, NO_SECRET, refreshToken, options)
  }

  async refresh(refreshToken: string, parameters: Record<string, string> = {}): Promise<Tokens> {
    const response = await this.requestRefresh(refreshToken, parameters)
    return (await oauth.processRefreshTokenResponse(this.#server, this.client, response)) as unknown as Tokens
  }

  async revoke(token: string): Promise<void> {
    const response = await oauth.revocationRequest(this.#server, this.client, NO_SECRET, token, OPTIONS)
    await oauth.processRevocationResponse(response)
  }
}
