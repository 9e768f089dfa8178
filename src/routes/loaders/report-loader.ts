import type { ReportSearch } from '#contract/report/report-params.ts'
import { prefetchReport } from '#src/report/pages/report/prefetch-report.ts'
import type { LoaderContext } from '../lazy-loader.ts'

export function reportLoader({ context, deps }: LoaderContext<ReportSearch>): undefined {
  prefetchReport(context.queryClient, deps)
}
