import { findPassing } from '#server/features/report/queries-passing.ts'
import { loadRowsOf } from '#server/features/report/queries-row.ts'
import { previousVisit } from '#server/features/report/queries-visit.ts'
import type { MailParts } from '#server/features/report-mail/compose.ts'
import { createMailLinkTokens } from '#server/features/report-mail/mail-link-token.ts'
import type { MailLinkContext } from '#server/features/report-mail/use-mail-link.ts'
import { patchUser } from '#server/features/user/patch-user.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import type { HttpSettings } from './http-settings.ts'

/** What a report mail asks of the report, which its feature does not know. */
export function reportMailParts({ mails }: RouteContext, { authSecrets }: HttpSettings): MailParts {
  return { mails, tokens: createMailLinkTokens(authSecrets), reader: { findPassing, loadRowsOf, previousVisit } }
}

/** What the mail's links ask of the user's own settings. */
export function mailLinkOptions({ db, now }: RouteContext, { authSecrets }: HttpSettings): MailLinkContext {
  return {
    db,
    now,
    tokens: createMailLinkTokens(authSecrets),
    async patchUser(tx, userId, patch) {
      await patchUser(tx, { userId, isDemo: false }, patch, { isMinimal: true })
    },
  }
}
