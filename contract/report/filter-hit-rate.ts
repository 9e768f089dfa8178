import { z } from 'zod/mini'
import { findReportParam, formatReportParam, type ReportParamName, type ReportSearch } from './report-params.ts'

/**
 * Response that states how many of the projects that a user starred or the team pursued match the user's filters (N18).
 */

export const FILTER_HIT_RATE_MONTHS = 12
export const MIN_PROJECTS_FOR_FILTER_HIT_RATE = 5
export const MAX_MISSED_PROJECTS = 50

export const isFilterHitRateParam = (name: ReportParamName, search: ReportSearch): boolean =>
  !findReportParam(name).isTransient &&
  !(name.endsWith('__range') && formatReportParam(name, search[name]!).includes('@'))

const missedSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  /** Names of the filters that reject the project; empty if the organisation's watch lists reject it. */
  by: z.array(z.string()),
  why: z.optional(z.string()),
})
export type MissedProject = z.output<typeof missedSchema>

const recallSchema = z.object({
  seen: z.number(),
  n: z.number(),
  left_out: z.array(z.string()),
  missed: z.array(missedSchema),
})
export type FilterHitRateResult = z.output<typeof recallSchema>

export const filterHitRateSchema = z.object({
  /** ISO date; stars and pursuits before it are ignored. */
  since: z.string(),
  watch: recallSchema,
  /**
   * Saved filters by id, evaluated over those of the projects that are in the report. Filters with nothing to evaluate
   * are omitted.
   */
  filters: z.record(z.string(), recallSchema),
})
export type FilterHitRate = z.output<typeof filterHitRateSchema>
