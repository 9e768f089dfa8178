import { z } from 'zod/mini'
import {
  type SecondLoginStep,
  type SecondLoginStepRequest,
  secondLoginStepSchema,
  webauthnOptionsSchema,
} from '#contract/account/second-factor.ts'
import { type LoginRequest, loginRequestSchema, sessionTokensSchema } from '#contract/account/session.ts'
import { postAnonymously } from '#src/api/http/client.ts'
import { startSessionOrThrow } from './start-session-or-throw.ts'

export async function logIn(credentials: LoginRequest): Promise<SecondLoginStep | undefined> {
  const response = await postAnonymously('auth/login/', {
    json: loginRequestSchema.parse(credentials),
    schema: z.union([sessionTokensSchema, secondLoginStepSchema]),
  })
  if ('second_step' in response) return response.second_step
  startSessionOrThrow(response)
  return undefined
}

/** Throws a ProblemError: `login_step_over` if the step has expired, else one with a message for the field. */
export async function finishLogin(json: SecondLoginStepRequest): Promise<void> {
  startSessionOrThrow(await postAnonymously('auth/login/second-step/', { json, schema: sessionTokensSchema }))
}

const passkeyOptions = (json: { token?: string }) =>
  postAnonymously('auth/passkey/options/', { json, schema: webauthnOptionsSchema })

export async function requestLoginPasskeySignature(token?: string): Promise<SecondLoginStepRequest['passkey']> {
  const { requestPasskeySignature } = await import('./browser-passkey.ts')
  return requestPasskeySignature(await passkeyOptions(token === undefined ? {} : { token }))
}

async function startPasskeySession(passkey: SecondLoginStepRequest['passkey']): Promise<boolean> {
  if (passkey === undefined) return false
  startSessionOrThrow(await postAnonymously('auth/passkey/', { json: { passkey }, schema: sessionTokensSchema }))
  return true
}

export const logInWithPasskey = async () => startPasskeySession(await requestLoginPasskeySignature())

/**
 * Logs in with the passkey that the browser offers in the e-mail field. Resolves to false when cancelled. A new passkey
 * request aborts the pending one, so `shouldStart()` is checked once the options have arrived: by then the user
 * may have started a request that must not be aborted.
 */
export async function logInWithAutofilledPasskey(shouldStart: () => boolean): Promise<boolean> {
  const { requestPasskeySignature } = await import('./browser-passkey.ts')
  const options = await passkeyOptions({})
  return shouldStart() && startPasskeySession(await requestPasskeySignature(options, true))
}

/** Enters the demo organisation. Only the access token is stored and the session is marked as demo (C5). */
export async function startDemoSession(refkey: string): Promise<void> {
  const { access } = await postAnonymously('auth/auto-login/', { json: { refkey }, schema: sessionTokensSchema })
  startSessionOrThrow({ access }, true)
}
