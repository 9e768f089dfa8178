import { type LoginRequest, tokensSchema } from '#contract/account/session.ts'
import { currentSession, endSession, type Session, sessionFrom, startSession } from '#src/lib/session-store.ts'
import { request } from '../http/client.ts'
import { InvalidResponseError } from '../http/problem-error.ts'

/** Longest wait for the server's word on logging out; the tokens are cleared in any case. */
const LOGOUT_WAIT_MS = 3000

function start(session: Session | undefined): void {
  if (!session) throw new InvalidResponseError()
  startSession(session)
}

/** Logs in and stores both tokens. Plain calls, no mutation options: the login screen does without the cache (see query-client.ts). */
export async function login(credentials: LoginRequest): Promise<void> {
  const { access, refresh } = await request('auth/login/', {
    method: 'post',
    json: credentials,
    schema: tokensSchema,
    withoutBearer: true,
    keepsSession: true,
  })
  start(sessionFrom({ access, refresh }, false))
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

let leaving: Promise<void> | undefined

/**
 * Logs out: tells the server when there is a refresh token, then always clears both tokens. Calls made while one is under
 * way share it, so ten dead answers make one logout (R55).
 */
export function logout(cause: 'logout' | 'dead' = 'logout'): Promise<void> {
  leaving ??= leave(cause).finally(() => {
    leaving = undefined
  })
  return leaving
}

async function leave(cause: 'logout' | 'dead'): Promise<void> {
  const refresh = currentSession()?.refresh
  if (refresh) {
    await request('auth/logout/', {
      method: 'post',
      json: { refresh },
      keepsSession: true,
      timeoutMs: LOGOUT_WAIT_MS,
    }).catch((error: unknown) => {
      console.warn('The server did not confirm the logout', error)
    })
  }
  endSession(cause)
}
