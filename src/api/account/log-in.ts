import { type LoginRequest, loginRequestSchema, tokensSchema } from '#contract/account/session.ts'
import { type Session, sessionFrom, startSession } from '#src/lib/session-store.ts'
import { request } from '../http/client.ts'
import { InvalidResponseError } from '../http/problem-error.ts'

/** What the schema says against what stands in a field of the login. */
export function loginProblem(name: keyof LoginRequest, value: string): string | undefined {
  return loginRequestSchema.shape[name].safeParse(value).error?.issues[0]?.message
}

function start(session: Session | undefined): void {
  if (!session) throw new InvalidResponseError()
  startSession(session)
}

/** Logs in and stores both tokens. Plain calls, no mutation options: the login screen does without the cache (see query-client.ts). */
export async function login(credentials: LoginRequest): Promise<void> {
  const { access, refresh } = await request('auth/login/', {
    method: 'post',
    json: loginRequestSchema.parse(credentials),
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
