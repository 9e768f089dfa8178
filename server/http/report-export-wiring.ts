import { readReportInput } from '#server/features/report/report-input.ts'
import type { ExportContext } from '#server/features/report-export/routes.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import { DEFAULT_LIMITS, type HttpSettings } from './http-settings.ts'

/** What exports need of the report, which they do not know, and of the settings. */
export function reportExportOptions(context: RouteContext, { limits }: HttpSettings): ExportContext {
  return {
    ...context,
    checkQuery: readReportInput,
    hourly: limits?.exportsHourly ?? DEFAULT_LIMITS.exportsHourly,
  }
}
