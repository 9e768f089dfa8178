import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export const ORIGIN = 'https://tamngan.example'

/**
 * Creates a software authenticator like a phone's: ES256, discoverable, with user verification. Its signed data follows
 * the WebAuthn specification.
 */
export function createSoftPasskey(knownId?: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id =
    knownId ??
    createHash('sha256')
      .update(publicKey.export({ format: 'der', type: 'spki' }))
      .digest('base64url')
  let count = 0
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (rpId: string, flags: number, counter: number, attestedData = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, attestedData])
  }
  const text = (bytes: Buffer) => bytes.toString('base64url')
  return {
    id,
    create(challenge: string) {
      const raw = Buffer.from(id, 'base64url')
      const length = Buffer.alloc(2)
      length.writeUInt16BE(raw.length)
      const data = authData(
        'tamngan.example',
        0x45,
        0,
        Buffer.concat([Buffer.alloc(16), length, raw, coseOf(publicKey)]),
      )
      const size = Buffer.alloc(2)
      size.writeUInt16BE(data.length)
      // Encodes {fmt: "none", attStmt: {}, authData: bytes} as CBOR.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x59]),
        size,
        data,
      ])
      const response = {
        clientDataJSON: text(clientData('webauthn.create', challenge, ORIGIN)),
        attestationObject: text(attestation),
        transports: ['internal', 'hybrid'],
      }
      return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
    },
    get(
      challenge: string,
      {
        origin = ORIGIN,
        rpId = 'tamngan.example',
        verified = true,
        counter,
      }: { origin?: string; rpId?: string; verified?: boolean; counter?: number } = {},
    ) {
      count += 1
      const data = authData(rpId, verified ? 0x05 : 0x01, counter ?? count)
      const client = clientData('webauthn.get', challenge, origin)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      const response = {
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature: text(sign('sha256', signed, privateKey)),
      }
      return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
    },
  }
}

/** Returns the public key in COSE format, the CBOR map {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseOf(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' }) as { x: string; y: string }
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}
