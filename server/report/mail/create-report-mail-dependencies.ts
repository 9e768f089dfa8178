import type { Db } from '#server/platform/engine/db.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { findWeekFigures } from '#server/report/morning-queue/week-figures.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import type { ReportEngine } from '#server/report/report-queries.ts'
import { loadReportRowsById } from '#server/report/report-rows.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'
import type { ReportMailDependencies } from './compose-report-mail.ts'
import { createMailLinkTokens } from './mail-link-token.ts'

export function createReportMailDependencies(
  secrets: readonly [string, ...string[]],
  mails: OutgoingMailQueue,
  reports?: ReportEngine,
): ReportMailDependencies {
  const reportsOf = (db: Db) => reports ?? createReportEngine(db)
  return {
    mails,
    tokens: createMailLinkTokens(secrets),
    reader: {
      reportsOf,
      loadRowsOf: loadReportRowsById,
      previousVisit: findPreviousReportVisit,
      weekFigures: (db, scope, now) => findWeekFigures(db, reportsOf(db), scope, now),
    },
  }
}
