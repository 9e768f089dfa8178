import type { ReportParamName, ReportSearch } from '#contract/report/report-params.ts'

/** What changes in the report's search: a parameter set to undefined is removed, one that is not named stays. */
export type ReportPatch = { readonly [N in ReportParamName]?: ReportSearch[N] | undefined }

/**
 * Moves the report to a changed search. `push` (the default) makes a step that Back undoes; `replace` is for what belongs
 * to the step before, such as the next letter of a word. `ask` moves nothing: it asks for the rows of what is being pressed, so that they are on their
 * way, or there, when it is let go.
 */
export type ChangeReport = (patch: ReportPatch, how?: 'push' | 'replace' | 'ask') => void
