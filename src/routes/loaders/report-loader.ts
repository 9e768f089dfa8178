import type { ReportSearch } from '#contract/report/report-params.ts'
import { prefetchReport } from '#src/report/pages/report/prefetch-report.ts'
import type { LoaderContext } from './loader-context.ts'

export function reportLoader({ context: { queryClient }, deps }: LoaderContext<ReportSearch>): void {
  prefetchReport(queryClient, deps)
}
