import type { ReportParamName, ReportSearch } from '#contract/report/report-params.ts'

export type ReportSearchPatch = { readonly [N in ReportParamName]?: ReportSearch[N] | undefined }

/** Changes the report's search. `replace` adds no history entry, e.g. for the next letter of a word. */
export type ChangeReportSearchFn = (patch: ReportSearchPatch, mode?: 'push' | 'replace') => void
