import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { answerPassing } from '#server/report/answer-lists.ts'
import type { ReportMemory } from '#server/report/memory/report-memory.ts'
import { loadRowsOf } from '#server/report/queries.ts'
import { previousVisit } from '#server/report/visit-queries.ts'
import type { MailParts } from './compose.ts'
import { createMailLinkTokens } from './mail-link-token.ts'
import type { ReportReader } from './mail-rows.ts'

export function reportMailParts(
  secrets: readonly [string, ...string[]],
  mails: OutgoingMail,
  memory?: ReportMemory,
): MailParts {
  const findPassing: ReportReader['findPassing'] = (db, searches, scope, projectIds) =>
    answerPassing({ db, memory }, searches, scope, projectIds)
  return { mails, tokens: createMailLinkTokens(secrets), reader: { findPassing, loadRowsOf, previousVisit } }
}
