import { z } from 'zod/mini'
import {
  type SecondLoginStep,
  type SecondLoginStepRequest,
  secondLoginStepSchema,
  webauthnOptionsSchema,
} from '#contract/account/second-factor.ts'
import { type LoginRequest, loginRequestSchema, sessionTokensSchema } from '#contract/account/session.ts'
import { ANONYMOUS_REQUEST_OPTIONS, sendApiRequest } from '#src/api/http/client.ts'
import { startSessionOrThrow } from './start-session-or-throw.ts'

export async function logIn(credentials: LoginRequest): Promise<SecondLoginStep | undefined> {
  const response = await sendApiRequest('auth/login/', {
    method: 'post',
    json: loginRequestSchema.parse(credentials),
    schema: z.union([sessionTokensSchema, secondLoginStepSchema]),
    ...ANONYMOUS_REQUEST_OPTIONS,
  })
  if ('second_step' in response) return response.second_step
  startSessionOrThrow(response)
  return undefined
}

/**
 * Completes the second step. Throws a ProblemError with the code `login_step_over` if the step has expired, otherwise
 * with a message for the invalid field.
 */
export async function finishLogin(json: SecondLoginStepRequest): Promise<void> {
  const tokens = await sendApiRequest('auth/login/second-step/', {
    method: 'post',
    json,
    schema: sessionTokensSchema,
    ...ANONYMOUS_REQUEST_OPTIONS,
  })
  startSessionOrThrow(tokens)
}

const passkeyOptions = (json: { token?: string }) =>
  sendApiRequest('auth/passkey/options/', {
    method: 'post',
    json,
    schema: webauthnOptionsSchema,
    ...ANONYMOUS_REQUEST_OPTIONS,
  })

export async function requestLoginPasskeySignature(token: string): Promise<SecondLoginStepRequest['passkey']> {
  const { requestPasskeySignature: signWithPasskey } = await import('./browser-passkey.ts')
  return signWithPasskey(await passkeyOptions({ token }))
}

async function startPasskeySession(passkey: SecondLoginStepRequest['passkey']): Promise<boolean> {
  if (passkey === undefined) return false
  startSessionOrThrow(
    await sendApiRequest('auth/passkey/', {
      method: 'post',
      json: { passkey },
      schema: sessionTokensSchema,
      ...ANONYMOUS_REQUEST_OPTIONS,
    }),
  )
  return true
}

export async function logInWithPasskey(): Promise<boolean> {
  const { requestPasskeySignature: signWithPasskey } = await import('./browser-passkey.ts')
  return startPasskeySession(await signWithPasskey(await passkeyOptions({})))
}

/**
 * Logs in with the passkey that the browser offers in the e-mail field. Resolves to false when cancelled. A new passkey
 * request aborts the pending one, so `shouldStart()` is checked once the options have arrived: by then the user
 * may have started a request that must not be aborted.
 */
export async function logInWithAutofilledPasskey(shouldStart: () => boolean): Promise<boolean> {
  const { requestPasskeySignature: signWithPasskey } = await import('./browser-passkey.ts')
  const options = await passkeyOptions({})
  return shouldStart() && startPasskeySession(await signWithPasskey(options, true))
}

/** Enters the demo organisation. Only the access token is stored and the session is marked as demo (C5). */
export async function startDemoSession(refkey: string): Promise<void> {
  const { access } = await sendApiRequest('auth/auto-login/', {
    method: 'post',
    json: { refkey },
    schema: sessionTokensSchema,
    ...ANONYMOUS_REQUEST_OPTIONS,
  })
  startSessionOrThrow({ access }, true)
}
