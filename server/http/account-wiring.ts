import type { registrationRoutes } from '#server/features/registration/routes.ts'
import { answerSession } from '#server/features/session/answer-session.ts'
import type { Sessions } from '#server/features/session/sessions.ts'
import { createOutgoingMail, type OutgoingMail } from '#server/route/outgoing-mail.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import type { HttpSettings } from './http-settings.ts'
import { isHttps } from './security-headers.ts'

/** Where the product runs when nobody said anything else. */
const DEFAULT_URL = 'http://localhost:4173'

/** Mails of this server: their links point to the configured address and nowhere else. */
export function outgoingMail({ authSecrets, publicUrl, mailBaseUrl }: HttpSettings): OutgoingMail {
  return createOutgoingMail({
    secrets: authSecrets,
    baseUrl: () => publicUrl ?? mailBaseUrl?.() ?? DEFAULT_URL,
  })
}

/** What registration needs of the other features, which it does not know. */
export function registrationOptions(
  context: RouteContext,
  settings: HttpSettings,
  sessions: Sessions,
): Parameters<typeof registrationRoutes>[1] {
  return {
    ...context,
    secrets: settings.authSecrets,
    enumeration: settings.enumeration ?? 'open',
    async signIn(request, reply, account) {
      const device = { address: request.ip, userAgent: request.headers['user-agent'] }
      const session = await sessions.open({ ...account, isDemo: false, device })
      return answerSession(reply, session, isHttps(settings))
    },
  }
}
