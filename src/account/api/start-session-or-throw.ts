import { InvalidResponseError } from '#src/lib/problem-error.ts'
import { startSession, toSession } from '#src/lib/session-store.ts'

/** Logs in. Throws InvalidResponseError if the access token cannot be parsed. */
export function startSessionOrThrow(tokens: { access: string; refresh?: string }, isDemo = false): void {
  const session = toSession(tokens, isDemo)
  if (!session) throw new InvalidResponseError()
  startSession(session)
}
