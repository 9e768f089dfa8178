import type { ProjectContext } from '#server/features/project/routes.ts'
import { loadReportRow } from '#server/features/report/queries-row.ts'
import type { RouteContext } from '#server/route/route-app.ts'

/** What a project's page needs of the report, which it does not know: the same row, word for word. */
export function projectOptions(context: RouteContext): ProjectContext {
  return { ...context, loadRow: loadReportRow }
}
