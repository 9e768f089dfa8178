import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { ReportQuerySource } from '#server/report/choose-report-queries.ts'
import {
  findAnnouncedProjects,
  findMorningFigures,
  findProjectsPassingSearches,
} from '#server/report/find-report-lists.ts'
import { findWeekFigures } from '#server/report/morning-queue/week-figures.ts'
import { loadReportRowsById } from '#server/report/queries.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'
import type { ReportMailDependencies } from './compose-report-mail.ts'
import { createMailLinkTokens } from './mail-link-token.ts'

export function createReportMailDependencies(
  secrets: readonly [string, ...string[]],
  mails: OutgoingMailQueue,
  memory?: ReportQuerySource['memory'],
): ReportMailDependencies {
  return {
    mails,
    tokens: createMailLinkTokens(secrets),
    reader: {
      findPassing: (db, searches, scope, projectIds) =>
        findProjectsPassingSearches({ db, memory }, searches, scope, projectIds),
      findAnnounced: (db, searches, scope, options) => findAnnouncedProjects({ db, memory }, searches, scope, options),
      loadRowsOf: loadReportRowsById,
      previousVisit: findPreviousReportVisit,
      morningFigures: (db, searches, scope) => findMorningFigures({ db, memory }, searches, scope),
      weekFigures: (db, scope, now) => findWeekFigures({ db, memory }, scope, now),
    },
  }
}
