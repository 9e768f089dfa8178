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
  consumePasskeyChallenge,
  findPasskey,
  listPasskeys,
  type PasskeyChallengePurpose,
  recordPasskeyUse,
  type StoredPasskey,
  storePasskeyChallenge,
} from './passkey-queries.ts'

/** Relying party from the configured address, never from request headers (R21). */
export type PasskeyRelyingParty = { readonly id: string; readonly origin: string }

/** Passkeys require a host name; an IP address has none. */
export function parsePasskeyRelyingParty(baseUrl: string): PasskeyRelyingParty | undefined {
  const { hostname, origin } = new URL(baseUrl)
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : { id: hostname, origin }
}

const CHALLENGE_MS = 5 * 60_000
const PRODUCT = 'ตามงาน'
const NAMED_TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
type Transport = (typeof NAMED_TRANSPORTS)[number]
const transportsOf = (transports: readonly string[] | undefined): Transport[] =>
  NAMED_TRANSPORTS.filter((name) => transports?.includes(name))

type PasskeyContext = { readonly db: Db; readonly party: PasskeyRelyingParty; readonly now: Date }

async function issueChallenge(
  { db, now }: PasskeyContext,
  challenge: string,
  purpose: PasskeyChallengePurpose,
  userId: number | null,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS)
  await storePasskeyChallenge(db, { challenge, purpose, userId, now, expiresAt })
}

export async function buildPasskeyCreationOptions(
  context: PasskeyContext,
  user: { userId: number; email: string; name: string },
) {
  const passkeys = await listPasskeys(context.db, user.userId)
  const options = await generateRegistrationOptions({
    rpName: PRODUCT,
    rpID: context.party.id,
    userID: new Uint8Array(Buffer.from(String(user.userId))),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    timeout: CHALLENGE_MS,
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transportsOf(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await issueChallenge(context, options.challenge, 'add', user.userId)
  return options
}

export async function buildPasskeyRequestOptions(context: PasskeyContext, userId: number | null) {
  const passkeys = userId === null ? [] : await listPasskeys(context.db, userId)
  const options = await generateAuthenticationOptions({
    rpID: context.party.id,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transportsOf(transports),
    })),
  })
  await issueChallenge(context, options.challenge, userId === null ? 'login' : 'factor', userId)
  return options
}

/** The challenge that the browser claims to have signed; not yet verified. */
function challengeOf(response: { readonly response: Readonly<Record<string, unknown>> }): string {
  try {
    const clientData: unknown = JSON.parse(
      Buffer.from(String(response.response.clientDataJSON), 'base64url').toString(),
    )
    return String((clientData as { challenge?: unknown }).challenge)
  } catch {
    return ''
  }
}

type Response = { readonly id: string; readonly response: Readonly<Record<string, unknown>> }

export async function verifyPasskeyRegistration(
  context: PasskeyContext,
  userId: number,
  response: Response,
): Promise<Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'> | undefined> {
  const { db, party, now } = context
  const challenge = challengeOf(response)
  if (!(await consumePasskeyChallenge(db, { challenge, userId, purpose: 'add', now }))) return undefined
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
export async function findPasskeyOwner(
  context: PasskeyContext,
  userId: number | null,
  response: Response,
): Promise<number | undefined> {
  const { db, party, now } = context
  const challenge = challengeOf(response)
  const purpose = userId === null ? 'login' : 'factor'
  if (!(await consumePasskeyChallenge(db, { challenge, userId, purpose, now }))) return undefined
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
