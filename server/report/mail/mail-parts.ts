import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { findPassingProjects } from '#server/report/answer-lists.ts'
import type { ReportMemory } from '#server/report/memory/report-memory.ts'
import { loadReportRowsById } from '#server/report/queries.ts'
import { findPreviousVisit } from '#server/report/visit-queries.ts'
import type { ReportMailDependencies } from './compose.ts'
import { createMailLinkTokens } from './mail-link-token.ts'
import type { ReportReader } from './report-mail-rows.ts'

export function reportMailDependencies(
  secrets: readonly [string, ...string[]],
  mails: OutgoingMail,
  memory?: ReportMemory,
): ReportMailDependencies {
  const findPassing: ReportReader['findPassing'] = (db, searches, scope, projectIds) =>
    findPassingProjects({ db, memory }, searches, scope, projectIds)
  return {
    mails,
    tokens: createMailLinkTokens(secrets),
    reader: { findPassing, loadRowsOf: loadReportRowsById, previousVisit: findPreviousVisit },
  }
}
