import { z } from 'zod/mini'
import type { PursuitStageKind } from '../account/pursuit-settings.ts'
import {
  formatQueryParams,
  type IgnoredQueryParam,
  parseQueryParams,
  type QueryParam,
  type SearchFromQueryParams,
} from '../http/query-params.ts'
import { addDays, addMonths } from '../thai/thai-date.ts'

/**
 * Results of the pursuits that an organisation started in a period. Every figure is a number of pursuits, or has that
 * number next to it, and links to its rows. Money is baht, shares are 0 to 1, days are ISO dates.
 */

/**
 * Below this many pursuits a share or median is greyed out and unranked: one more tender would shift it by 20 points.
 */
export const MIN_TEAM_RESULT_SAMPLE_SIZE = 5

export const TEAM_RESULT_FIGURES = [
  { code: 'pursued', th: 'งานที่เริ่มทำ' },
  { code: 'bid', th: 'ยื่น' },
  { code: 'won', th: 'ชนะ' },
  { code: 'lost', th: 'แพ้' },
  { code: 'decided', th: 'รู้ผลแล้ว' },
  { code: 'waiting', th: 'รอผล' },
  { code: 'declined', th: 'ไม่ยื่น' },
  { code: 'open', th: 'ยังไม่ยื่น' },
  { code: 'valued', th: 'ชนะที่รู้มูลค่า' },
  { code: 'discounted', th: 'ยื่นที่รู้ส่วนลด' },
  { code: 'timed', th: 'รู้เวลาตัดสินใจ' },
] as const
export type TeamResultFigure = (typeof TEAM_RESULT_FIGURES)[number]['code']
const FIGURE_CODES = TEAM_RESULT_FIGURES.map(({ code }) => code)

export const TEAM_RESULT_FIGURE_STAGE_KINDS: Readonly<Partial<Record<TeamResultFigure, readonly PursuitStageKind[]>>> =
  {
    bid: ['submitted', 'won', 'lost'],
    won: ['won'],
    lost: ['lost'],
    decided: ['won', 'lost'],
    waiting: ['submitted'],
    declined: ['declined'],
    open: ['open'],
  }

export const TEAM_RESULT_GROUPINGS = [
  { code: 'owner', th: 'ผู้ดูแล' },
  { code: 'department', th: 'หน่วยงาน' },
  { code: 'word', th: 'คำติดตาม' },
  { code: 'month', th: 'เดือน' },
  { code: 'lost_reason', th: 'เหตุที่แพ้' },
  { code: 'declined_reason', th: 'เหตุที่ไม่ยื่น' },
] as const
export type TeamResultGrouping = (typeof TEAM_RESULT_GROUPINGS)[number]['code']
const GROUPING_CODES = TEAM_RESULT_GROUPINGS.map(({ code }) => code)

export const TEAM_RESULT_TABLE_GROUPINGS = TEAM_RESULT_GROUPINGS.slice(0, 4)

export const UNGROUPED_TEAM_RESULTS_KEY = 'none'
export const MAX_TEAM_RESULT_GROUPS = 100
export const MAX_TEAM_RESULT_ROWS = 500

const money = z.nullable(z.number())
const day = z.nullable(z.string())
const median = z.object({
  median: z.nullable(z.number()),
  n: z.number(),
})

const figuresSchema = z.object({
  pursued: z.number(),
  bid: z.number(),
  won: z.number(),
  lost: z.number(),
  waiting: z.number(),
  declined: z.number(),
  open: z.number(),
  /** Won / (`won + lost`); null if no pursuit was won or lost. */
  win_rate: z.nullable(z.number()),
  /**
   * Total contract value published by e-GP, known for `valued` of the won pursuits; `amounts_in_doubt` counts those
   * left out as doubtful, absent if none.
   */
  won_value: z.number(),
  valued: z.number(),
  amounts_in_doubt: z.optional(z.number()),
  /**
   * Our discount against the reference price, over bids with both prices. Null for users who may not see our prices.
   */
  discount: z.nullable(median),
  /** Calendar days from the first announcement to our decision. */
  days_to_decide: median,
})
export type TeamResultFigures = z.output<typeof figuresSchema>

const groupSchema = z.extend(figuresSchema, { key: z.string(), name: z.string() })
export type TeamResultGroup = z.output<typeof groupSchema>

const reasonSchema = z.object({
  key: z.string(),
  n: z.number(),
})
export type TeamResultReason = z.output<typeof reasonSchema>

/**
 * Answers of one week about projects on cards and in mails. `acted`: projects answered as relevant that no member had
 * seen before and that are in the team's work, unless it decided not to bid.
 */
const feedbackWeekSchema = z.object({
  /** Monday in Bangkok. */
  from: z.string(),
  acted: z.number(),
  relevant: z.number(),
  irrelevant: z.number(),
  seen: z.number(),
})
export type TeamFeedbackWeek = z.output<typeof feedbackWeekSchema>
export const TEAM_FEEDBACK_WEEKS = 8

const groups = z.object({ total: z.number(), results: z.array(groupSchema) })

export const teamResultsSchema = z.object({
  from: day,
  to: day,
  total: figuresSchema,
  /**
   * Largest group first, months in chronological order. A pursuit that matches several keywords counts in the group of
   * each.
   */
  owner: groups,
  department: groups,
  word: groups,
  month: groups,
  lost_reasons: z.array(reasonSchema),
  declined_reasons: z.array(reasonSchema),
  sees_price: z.boolean(),
  /** The last eight weeks, newest first, whatever the period. */
  feedback_weeks: z.array(feedbackWeekSchema),
})
export type TeamResults = z.output<typeof teamResultsSchema>

const rowSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  department: z.string(),
  owner: z.nullable(z.string()),
  stage: z.string(),
  begun: z.string(),
  announced: day,
  decided: day,
  days_to_decide: z.nullable(z.number()),
  estimate: money,
  price: money,
  discount: z.nullable(z.number()),
  winner: z.nullable(z.string()),
  winner_price: money,
  reason: z.nullable(z.string()),
})
export type TeamResultRow = z.output<typeof rowSchema>

export const teamResultRowsSchema = z.object({ total: z.number(), results: z.array(rowSchema) })
export type TeamResultRows = z.output<typeof teamResultRowsSchema>

const PERIOD_PARAMS = [
  { name: 'date__range', kind: 'dates', th: 'ช่วงวันที่' },
  /** Selects results of all time instead of a period; `date__range` takes precedence. */
  { name: 'all', kind: 'flag', th: 'ทุกช่วงเวลา' },
] as const satisfies readonly QueryParam[]

export const TEAM_RESULTS_QUERY_PARAMS = PERIOD_PARAMS

const ROWS_PARAMS = [
  { name: 'rows', kind: 'text', th: 'ตัวเลข' },
  { name: 'group', kind: 'text', th: 'กลุ่ม' },
  { name: 'key', kind: 'text', th: 'รายการ' },
] as const satisfies readonly QueryParam[]

export const TEAM_RESULT_ROWS_PARAMS = [...PERIOD_PARAMS, ...ROWS_PARAMS] as const satisfies readonly QueryParam[]

export const TEAM_RESULTS_PARAMS = [
  ...PERIOD_PARAMS,
  { name: 'by', kind: 'choice', th: 'ตาราง', of: TEAM_RESULT_TABLE_GROUPINGS.map(({ code }) => code) },
  ...ROWS_PARAMS,
] as const satisfies readonly QueryParam[]
type ResultsParam = (typeof TEAM_RESULTS_PARAMS)[number]
export type TeamResultsSearch = SearchFromQueryParams<ResultsParam>

export function parseTeamResultsSearch(flat: Readonly<Record<string, string>>): {
  readonly search: TeamResultsSearch
  readonly ignored: readonly IgnoredQueryParam[]
} {
  return parseQueryParams<ResultsParam>(TEAM_RESULTS_PARAMS, flat)
}

export function formatTeamResultsSearch(search: TeamResultsSearch): Record<string, string> {
  return formatQueryParams<ResultsParam>(TEAM_RESULTS_PARAMS, search)
}

export type TeamResultsPeriod = { readonly from: string | null; readonly to: string | null }

export function resolveTeamResultsPeriod(
  { date__range: range, all }: Pick<TeamResultsSearch, 'date__range' | 'all'>,
  today: string,
): TeamResultsPeriod {
  if (range) return range
  return all ? { from: null, to: null } : { from: addDays(addMonths(today, -12), 1), to: today }
}

export function parseTeamResultRowSelection({
  rows,
  group,
  key,
}: Pick<TeamResultsSearch, 'rows' | 'group' | 'key'>):
  | { readonly figure: TeamResultFigure; readonly group?: { readonly by: TeamResultGrouping; readonly key: string } }
  | undefined {
  const figure = FIGURE_CODES.find((code) => code === rows)
  if (figure === undefined) return undefined
  if (group === undefined && key === undefined) return { figure }
  const by = GROUPING_CODES.find((code) => code === group)
  return by === undefined || key === undefined ? undefined : { figure, group: { by, key } }
}
