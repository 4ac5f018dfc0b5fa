import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { MINUTE_MS } from '../../../platform/clock/index.ts'

/** The host that passkeys belong to, and the origins of its pages. Browsers offer them on no other host. */
export interface RelyingParty {
  id: string
  origins: string[]
}

export interface StoredPasskey {
  credential_id: string
  public_key: string
  counter: number
  transports: unknown
}

/** Loaded on first use: it takes 28 MB and 0.2 s, and most people sign in without a passkey. */
const loadWebAuthn = () => import('@simplewebauthn/server')

const NAME = 'Waymark'
/** EdDSA, ES256 and RS256. The library would add those that Node supports only as experiments. */
const ALGORITHMS = [-8, -7, -257]
/** Browsers give up after this. */
const TIMEOUT_MS = 5 * MINUTE_MS

/** What `navigator.credentials.create` needs, as JSON. */
export async function creationOptions(
  rp: RelyingParty,
  person: { id: string; email: string },
  existing: readonly StoredPasskey[],
  challenge: string,
): Promise<string> {
  const { generateRegistrationOptions } = await loadWebAuthn()
  return JSON.stringify(
    await generateRegistrationOptions({
      rpName: NAME,
      rpID: rp.id,
      userID: toHandle(person.id),
      userName: person.email,
      userDisplayName: person.email,
      challenge: Buffer.from(challenge),
      timeout: TIMEOUT_MS,
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: existing.map(toDescriptor),
      // Discoverable, so that a person can sign in without an address. A key without a PIN can still be a second factor.
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    }),
  )
}

/** What `navigator.credentials.get` needs, as JSON. Without passkeys, the person chooses one. */
export async function requestOptions(
  rp: RelyingParty,
  challenge: string,
  passkeys: readonly StoredPasskey[] | undefined,
  needsUserVerification: boolean,
): Promise<string> {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return JSON.stringify(
    await generateAuthenticationOptions({
      rpID: rp.id,
      challenge: Buffer.from(challenge),
      timeout: TIMEOUT_MS,
      userVerification: needsUserVerification ? 'required' : 'preferred',
      ...(passkeys && { allowCredentials: passkeys.map(toDescriptor) }),
    }),
  )
}

/** Only what we read ourselves. The library checks the rest. */
const Sent = z.looseObject({
  id: z.string().max(2000),
  response: z.looseObject({ clientDataJSON: z.string(), userHandle: z.string().nullish() }),
})
const ClientData = z.looseObject({ challenge: z.string() })

export interface SentCredential {
  credentialId: string
  /** The challenge that was given to `creationOptions` or `requestOptions`. */
  challenge: string
  userId: string | undefined
  json: unknown
}

/** Reads the JSON of a browser's credential, without checking it. Undefined if it is malformed. */
export function readCredential(text: string): SentCredential | undefined {
  try {
    const json = JSON.parse(text)
    const { id, response } = Sent.parse(json)
    const { challenge } = ClientData.parse(JSON.parse(decode(response.clientDataJSON)))
    const userId = response.userHandle ? decode(response.userHandle) : undefined
    return { credentialId: id, challenge: decode(challenge), userId, json }
  } catch {
    return undefined
  }
}

/** Undefined if the credential is not acceptable: the library throws for each of many reasons. */
export async function verifyCreation(
  rp: RelyingParty,
  { json, challenge }: SentCredential,
): Promise<StoredPasskey | undefined> {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const verified = await verifyRegistrationResponse({
    response: json as RegistrationResponseJSON,
    expectedChallenge: encode(challenge),
    expectedOrigin: rp.origins,
    expectedRPID: rp.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  const public_key = Buffer.from(publicKey).toString('base64url')
  return { credential_id: id, public_key, counter, transports: transports ?? [] }
}

/** Returns the new counter of the passkey. Undefined if the signature is not acceptable. */
export async function verifySignature(
  rp: RelyingParty,
  { json, challenge }: SentCredential,
  passkey: StoredPasskey,
  needsUserVerification: boolean,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const verified = await verifyAuthenticationResponse({
    response: json as AuthenticationResponseJSON,
    expectedChallenge: encode(challenge),
    expectedOrigin: rp.origins,
    expectedRPID: rp.id,
    requireUserVerification: needsUserVerification,
    credential: {
      id: passkey.credential_id,
      publicKey: Buffer.from(passkey.public_key, 'base64url'),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}

const toHandle = (userId: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(userId)
const toDescriptor = ({ credential_id, transports }: StoredPasskey) => ({
  id: credential_id,
  transports: transports as string[],
})
const decode = (base64url: string): string => Buffer.from(base64url, 'base64url').toString()
const encode = (text: string): string => Buffer.from(text).toString('base64url')
