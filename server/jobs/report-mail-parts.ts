import { findPassing } from '#server/features/report/queries-passing.ts'
import { loadRowsOf } from '#server/features/report/queries-row.ts'
import { previousVisit } from '#server/features/report/queries-visit.ts'
import type { MailParts } from '#server/features/report-mail/compose.ts'
import { createMailLinkTokens } from '#server/features/report-mail/mail-link-token.ts'
import { createOutgoingMail } from '#server/route/outgoing-mail.ts'

/** What report mails are made with: the report as its own feature reads it, and the address people use. */
export function reportMailParts(secrets: readonly [string, ...string[]], baseUrl: () => string): MailParts {
  return {
    mails: createOutgoingMail({ secrets, baseUrl }),
    tokens: createMailLinkTokens(secrets),
    reader: { findPassing, loadRowsOf, previousVisit },
  }
}
