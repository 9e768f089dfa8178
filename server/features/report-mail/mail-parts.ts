import { loadRowsOf } from '#server/features/report/queries.ts'
import { findPassing } from '#server/features/report/queries-passing.ts'
import { previousVisit } from '#server/features/report/queries-visit.ts'
import type { OutgoingMail } from '#server/route/outgoing-mail.ts'
import type { MailParts } from './compose.ts'
import { createMailLinkTokens } from './mail-link-token.ts'

/** What report mails are made with: who sends them, the key of their links, and the report as its own feature reads it. */
export function reportMailParts(secrets: readonly [string, ...string[]], mails: OutgoingMail): MailParts {
  return { mails, tokens: createMailLinkTokens(secrets), reader: { findPassing, loadRowsOf, previousVisit } }
}
