import { z } from 'zod/mini'
import { printReportParam, type ReportParamName, type ReportSearch } from './report-params.ts'

/** Of the projects that a user starred or the team pursued, how many the user's own filters see (N18). */

/** How far back stars and pursuits are looked at. */
export const RECALL_MONTHS = 12
/** With fewer projects no share is said. */
export const FEWEST_FOR_RATE = 5
/** Missed projects that one answer names, the newest first. */
export const MOST_MISSED = 50

/**
 * Filters that say nothing of a tender but of a moment of it, or of what was done with it since: a tender that was starred in spring has a winner in autumn. They are not held
 * against a filter, and named as left out.
 */
const OF_THE_MOMENT: ReadonlySet<ReportParamName> = new Set<ReportParamName>([
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

/** Whether a filter of a search is judged: what asks for days from today on (`@0,@7`) is of the moment too. */
export const isJudged = (name: ReportParamName, search: ReportSearch): boolean =>
  !OF_THE_MOMENT.has(name) && !(name.endsWith('__range') && printReportParam(name, search[name]!).includes('@'))

const missedSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  /** Parameters of the filter that it fails; empty of the watch lists. */
  by: z.array(z.string()),
  /** Of the watch lists: which rule keeps it out, in Thai. */
  why: z.optional(z.string()),
})
export type MissedProject = z.output<typeof missedSchema>

const recallSchema = z.object({
  /** Projects that it sees. */
  seen: z.number(),
  /** Of so many. */
  n: z.number(),
  /** Parameters that are not judged. */
  left_out: z.array(z.string()),
  missed: z.array(missedSchema),
})
export type Recall = z.output<typeof recallSchema>

/** `GET /projects/saved-filter-recall`. */
export const filterRecallSchema = z.object({
  /** ISO date from which on stars and pursuits count. */
  since: z.string(),
  /** The watch lists, of all that was starred or pursued. */
  watch: recallSchema,
  /** Each saved filter by its id, of what the report holds of that. Left out are those of which nothing can be judged. */
  filters: z.record(z.string(), recallSchema),
})
export type FilterRecall = z.output<typeof filterRecallSchema>
