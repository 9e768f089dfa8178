import { z } from 'zod/mini'
import {
  type SecondStep,
  type SecondStepAnswer,
  secondStepSchema,
  webauthnOptionsSchema,
} from '#contract/account/second-factor.ts'
import { type LoginRequest, loginRequestSchema, tokensSchema } from '#contract/account/session.ts'
import { request } from '#src/api/http/client.ts'
import { InvalidResponseError } from '#src/api/http/problem-error.ts'
import { type Session, sessionFrom, startSession } from '#src/lib/session-store.ts'

/** What the schema says against what stands in a field of the login. */
export function loginProblem(name: keyof LoginRequest, value: string): string | undefined {
  return loginRequestSchema.shape[name].safeParse(value).error?.issues[0]?.message
}

function start(session: Session | undefined): void {
  if (!session) throw new InvalidResponseError()
  startSession(session)
}

const ALONE = { withoutBearer: true, keepsSession: true } as const

/**
 * Logs in and stores both tokens, or answers what the account asks for besides the password. Plain calls, no mutation options: the login screen does
 * without the cache (see query-client.ts).
 */
export async function login(credentials: LoginRequest): Promise<SecondStep | undefined> {
  const answer = await request('auth/login/', {
    method: 'post',
    json: loginRequestSchema.parse(credentials),
    schema: z.union([tokensSchema, secondStepSchema]),
    ...ALONE,
  })
  if ('second_step' in answer) return answer.second_step
  start(sessionFrom(answer, false))
  return undefined
}

/** The second step; throws ProblemError `login_step_over` when it came too late, else at the field that is wrong. */
export async function finishLogin(json: SecondStepAnswer): Promise<void> {
  const tokens = await request('auth/login/second-step/', { method: 'post', json, schema: tokensSchema, ...ALONE })
  start(sessionFrom(tokens, false))
}

/** What a passkey signs: in the second step of a login with its token, else to begin one. */
const passkeyOptions = (json: { token?: string }) =>
  request('auth/passkey/options/', { method: 'post', json, schema: webauthnOptionsSchema, ...ALONE })

/** Signs for the second step; undefined when the person stopped it. */
export async function signSecondStep(token: string): Promise<SecondStepAnswer['passkey']> {
  const { signWithPasskey } = await import('./browser-passkey.ts')
  return signWithPasskey(await passkeyOptions({ token }))
}

async function startByPasskey(passkey: SecondStepAnswer['passkey']): Promise<boolean> {
  if (passkey === undefined) return false
  start(
    sessionFrom(
      await request('auth/passkey/', { method: 'post', json: { passkey }, schema: tokensSchema, ...ALONE }),
      false,
    ),
  )
  return true
}

/** Logs in with a passkey alone, asked for now. False when the person stopped it. */
export async function loginByPasskey(): Promise<boolean> {
  const { signWithPasskey } = await import('./browser-passkey.ts')
  return startByPasskey(await signWithPasskey(await passkeyOptions({})))
}

/**
 * Logs in with the passkey that the browser offers where the e-mail is typed, when the person takes it. False when it was stopped. A browser asks for one
 * passkey at a time and the newest wins, so it begins only while it is `wanted`: an offer whose options come late must not end what a press asked for.
 */
export async function loginByOfferedPasskey(wanted: () => boolean): Promise<boolean> {
  const { signWithPasskey } = await import('./browser-passkey.ts')
  const options = await passkeyOptions({})
  return wanted() && startByPasskey(await signWithPasskey(options, true))
}

/** Enters the demo organisation. Only the access token is stored and the session is marked as demo (C5). */
export async function enterDemo(refkey: string): Promise<void> {
  const { access } = await request('auth/auto-login/', {
    method: 'post',
    json: { refkey },
    schema: tokensSchema,
    withoutBearer: true,
    keepsSession: true,
  })
  start(sessionFrom({ access }, true))
}
