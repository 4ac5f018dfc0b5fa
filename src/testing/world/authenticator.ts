import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

interface Options {
  challenge: string
  rpId?: string
  rp?: { id: string }
  user?: { id: string }
}

/** A device with one passkey, which answers as a browser does. */
export class Authenticator {
  readonly #origin: string
  readonly #verifiesUser: boolean
  readonly #id = randomBytes(32)
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  #userHandle = ''
  #counter = 0

  constructor(origin: string, { verifiesUser = true } = {}) {
    this.#origin = origin
    this.#verifiesUser = verifiesUser
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#publicKey = publicKey
  }

  /** Creates the passkey. Returns the credential as the script of a page sends it. */
  create({ challenge, rp, user }: Options): string {
    this.#userHandle = user?.id ?? ''
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.#id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#coseKey()])
    const authData = Buffer.concat([this.#authData(rp?.id ?? '', HAS_CREDENTIAL), credential])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      Buffer.from([0x59, authData.length >> 8, authData.length & 0xff]),
      authData,
    ])
    return this.#toJson({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Signs a challenge with the passkey. */
  get({ challenge, rpId }: Options): string {
    this.#counter++
    const authData = this.#authData(rpId ?? '', 0)
    const clientData = this.#clientData('webauthn.get', challenge)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#key)
    return this.#toJson({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.#userHandle,
    })
  }

  #toJson(response: object): string {
    const id = this.#id.toString('base64url')
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }))
  }

  #authData(rpId: string, flag: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    const flags = USER_PRESENT | (this.#verifiesUser ? USER_VERIFIED : 0) | flag
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), counter])
  }

  /** A CBOR map: an elliptic curve key for ES256, with its two coordinates. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y, 'base64url'),
    ])
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
