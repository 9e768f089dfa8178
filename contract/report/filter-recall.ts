import { z } from 'zod/mini'
import { formatReportParam, type ReportParamName, type ReportSearch } from './report-params.ts'

/**
 * Response that states how many of the projects that a user starred or the team pursued match the user's filters (N18).
 */

export const FILTER_RECALL_MONTHS = 12
export const MIN_PROJECTS_FOR_FILTER_RECALL = 5
export const MAX_MISSED_PROJECTS = 50

/**
 * Filters on a temporary state of a tender or on later user actions: a tender starred in spring has a winner by autumn.
 * They are excluded from the evaluation, and the response lists them as excluded.
 */
const TRANSIENT_FILTERS: ReadonlySet<ReportParamName> = new Set<ReportParamName>([
  'project_bidding__in',
  'project_change_status__in',
  'project_status__in',
  'project_movement__in',
  'project_winner_name__in',
  'project_winner_budget__range',
  'ends_within',
  'project_bookmark',
  'project_label__in',
  'project_hidden',
  'project_since_visit',
  'pursuit_stage__in',
  'pursuit_owner__in',
  'pursuit_has_notes',
])

export const isFilterRecallParam = (name: ReportParamName, search: ReportSearch): boolean =>
  !TRANSIENT_FILTERS.has(name) && !(name.endsWith('__range') && formatReportParam(name, search[name]!).includes('@'))

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
export type FilterRecallResult = z.output<typeof recallSchema>

export const filterRecallSchema = z.object({
  /** ISO date; stars and pursuits before it are ignored. */
  since: z.string(),
  watch: recallSchema,
  /**
   * Saved filters by id, evaluated over those of the projects that are in the report. Filters with nothing to evaluate
   * are omitted.
   */
  filters: z.record(z.string(), recallSchema),
})
export type FilterRecall = z.output<typeof filterRecallSchema>
