import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Db } from '#server/platform/engine/db.ts'
import {
  type ChallengePurpose,
  findPasskey,
  listPasskeys,
  recordPasskeyUse,
  type StoredPasskey,
  storeChallenge,
  takeChallenge,
} from './queries-passkey.ts'

/** Whom passkeys are made for: this installation by its address, never by what a request says (R21). */
export type RelyingParty = { readonly id: string; readonly origin: string }

/** A passkey belongs to a name. An address by numbers has none, and no passkeys. */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { hostname, origin } = new URL(baseUrl)
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : { id: hostname, origin }
}

const CHALLENGE_MS = 5 * 60_000
const PRODUCT = 'ตามงาน'
const NAMED_TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
type Transport = (typeof NAMED_TRANSPORTS)[number]
const transportsOf = (told: readonly string[] | undefined): Transport[] =>
  NAMED_TRANSPORTS.filter((name) => told?.includes(name))

type Asked = { readonly db: Db; readonly party: RelyingParty; readonly now: Date }

async function keep(
  { db, now }: Asked,
  challenge: string,
  purpose: ChallengePurpose,
  userId: number | null,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS)
  await storeChallenge(db, { challenge, purpose, userId, now, expiresAt })
}

/** What a browser needs to make a passkey for this user. */
export async function passkeyToAdd(asked: Asked, user: { userId: number; email: string; name: string }) {
  const known = await listPasskeys(asked.db, user.userId)
  const options = await generateRegistrationOptions({
    rpName: PRODUCT,
    rpID: asked.party.id,
    userID: new Uint8Array(Buffer.from(String(user.userId))),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    timeout: CHALLENGE_MS,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transportsOf(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keep(asked, options.challenge, 'add', user.userId)
  return options
}

/** What a browser needs to sign with a passkey: one of the user's, or whichever the person picks when nobody is named. */
export async function passkeyToUse(asked: Asked, userId: number | null) {
  const known = userId === null ? [] : await listPasskeys(asked.db, userId)
  const options = await generateAuthenticationOptions({
    rpID: asked.party.id,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transportsOf(transports),
    })),
  })
  await keep(asked, options.challenge, userId === null ? 'login' : 'factor', userId)
  return options
}

/** The challenge that a browser says it has signed; what is not ours is unknown. */
function challengeOf(response: { readonly response: Readonly<Record<string, unknown>> }): string {
  try {
    const told: unknown = JSON.parse(Buffer.from(String(response.response.clientDataJSON), 'base64url').toString())
    return String((told as { challenge?: unknown }).challenge)
  } catch {
    return ''
  }
}

type Response = { readonly id: string; readonly response: Readonly<Record<string, unknown>> }

/** The passkey that the browser has made, when it signed our challenge at our address with the person seen to; undefined otherwise. */
export async function readNewPasskey(
  asked: Asked,
  userId: number,
  response: Response,
): Promise<Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'> | undefined> {
  const { db, party, now } = asked
  const challenge = challengeOf(response)
  if (!(await takeChallenge(db, { challenge, userId, purpose: 'add', now }))) return undefined
  const verified = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    signCount: counter,
    transports: transportsOf(transports),
  }
}

/** Whose passkey signed, once for each challenge; undefined when it is none of this user, or nobody's. `userId` null: a login that begins with it. */
export async function ownerOfPasskey(
  asked: Asked,
  userId: number | null,
  response: Response,
): Promise<number | undefined> {
  const { db, party, now } = asked
  const challenge = challengeOf(response)
  const purpose = userId === null ? 'login' : 'factor'
  if (!(await takeChallenge(db, { challenge, userId, purpose, now }))) return undefined
  const stored = await findPasskey(db, response.id)
  if (!stored || (userId !== null && stored.userId !== userId)) return undefined
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: stored.credentialId,
      publicKey: new Uint8Array(Buffer.from(stored.publicKey, 'base64url')),
      counter: stored.signCount,
      transports: transportsOf(stored.transports),
    },
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const isNoted = await recordPasskeyUse(db, stored.id, verified.authenticationInfo.newCounter, now)
  return isNoted ? stored.userId : undefined
}
