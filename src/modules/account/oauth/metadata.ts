import { SCOPES } from '../scopes/contract.ts'
import { ENDPOINTS } from './paths.ts'
import { resourceOf } from './provider.ts'

/** Describes the authorisation server (RFC 8414). */
export const serverMetadata = (appUrl: string) => ({
  issuer: appUrl,
  authorization_endpoint: `${appUrl}${ENDPOINTS.authorization}`,
  token_endpoint: `${appUrl}${ENDPOINTS.token}`,
  revocation_endpoint: `${appUrl}${ENDPOINTS.revocation}`,
  registration_endpoint: `${appUrl}${ENDPOINTS.registration}`,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  protected_resources: [resourceOf(appUrl)],
  service_documentation: `${appUrl}/docs`,
})

/** Describes the API as a resource that tokens are for (RFC 9728). */
export const resourceMetadata = (appUrl: string) => ({
  resource: resourceOf(appUrl),
  resource_name: 'Waymark API',
  authorization_servers: [appUrl],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_documentation: `${appUrl}/docs`,
})
