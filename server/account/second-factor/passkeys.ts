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
} from './passkey-queries.ts'

/** Relying party from the configured address, never from request headers (R21). */
export type RelyingParty = { readonly id: string; readonly origin: string }

/** Passkeys require a host name; an IP address has none. */
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

/** Returns the options for signing: one of the user's passkeys, or any when `userId` is null. */
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

/** Returns the challenge that the browser claims to have signed; not yet verified. */
function challengeOf(response: { readonly response: Readonly<Record<string, unknown>> }): string {
  try {
    const told: unknown = JSON.parse(Buffer.from(String(response.response.clientDataJSON), 'base64url').toString())
    return String((told as { challenge?: unknown }).challenge)
  } catch {
    return ''
  }
}

type Response = { readonly id: string; readonly response: Readonly<Record<string, unknown>> }

/**
 * Returns the new passkey if the browser signed our challenge at our origin with user verification; undefined
 * otherwise.
 */
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

/**
 * Returns the owner of the signing passkey, once per challenge; undefined for an unknown passkey or another user's.
 * `userId` null: login by passkey.
 */
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
