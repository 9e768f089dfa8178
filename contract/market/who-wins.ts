import { z } from 'zod/mini'
import type { Label } from '../account/label.ts'
import { getSearchFilterTexts, spellOutSearchOperators } from '../report/filter-text.ts'
import type { TeamFilterNames } from '../report/report-list-filter-choices.ts'
import { formatReportSearch, omitBidStates, REPORT_VIEW_PARAMS, type ReportSearch } from '../report/report-params.ts'
import { bidFiguresSchema, companyProjectSchema, companyRefSchema } from './company.ts'
import { statisticsScopeSchema } from './statistics-scope.ts'

/**
 * Who wins, where and at what price, among the projects that match a report search. Responses of `GET /who-wins` and
 * `GET /who-wins/projects`. Money is baht, dates ISO, unknown is null, never 0.
 *
 * Wins, values and discounts are defined as for companies (contract/market/company.ts). Agencies, provinces, methods
 * and years count every decided project, including those won by natural persons; companies, months and discounts count
 * only wins of companies.
 */
const money = z.nullable(z.number())
const date = z.nullable(z.string())

export const MIN_PROJECTS_TO_RANK_WINNERS = 5
export const MAX_RANKED_WINNERS = 50

/**
 * Discounts below the reference price (D20) over `n` projects; the quartiles are null if `n` is less than
 * `MIN_PROJECTS_TO_RANK_WINNERS`.
 */
const quartilesSchema = z.object({ n: z.number(), lower: money, median: money, upper: money })
export type DiscountQuartiles = z.output<typeof quartilesSchema>

const slice = { n: z.number(), value: money }

const winningCompanySchema = z.object({
  ...companyRefSchema.shape,
  wins: z.number(),
  value: money,
  share: money,
  bids: z.nullable(bidFiguresSchema),
  discount: z.object({ n: z.number(), median: money }),
  first_win_date: date,
  last_win_date: date,
  /** Number of matching projects that the user bookmarked and in which the company took part. */
  met: z.number(),
})
export type WinningCompany = z.output<typeof winningCompanySchema>

export const whoWinsSchema = z.object({
  /** Scope of all figures; `n` counts projects with at least one company. */
  scope: statisticsScopeSchema,
  projects: z.number(),
  decided: z.number(),
  won: z.number(),
  figures: z.object({
    winners: z.number(),
    /** Total value of the decided projects, known for `n_value` of them. */
    value: money,
    n_value: z.number(),
    top_five_share: money,
    bidders: z.object({ n: z.number(), mean: money }),
    discount: quartilesSchema,
    /** Number of projects whose price can be compared only with the budget; excluded from all discounts. */
    against_budget: z.number(),
    terminated: z.optional(z.number()),
  }),
  companies: z.object({
    total: z.number(),
    is_ranked: z.boolean(),
    results: z.array(winningCompanySchema),
  }),
  agencies: z.object({
    total: z.number(),
    results: z.array(
      z.object({
        /** Name of the department, not of the purchasing unit. */
        name: z.string(),
        ...slice,
        months: z.array(z.number()),
      }),
    ),
  }),
  /**
   * Discounts in steps of two percentage points, `from` inclusive; the first bin (null) is above the reference price,
   * the last has no upper bound.
   */
  discount_bins: z.array(z.object({ from: money, count: z.number() })),
  /** Discounts by band of the reference price in baht, `from` inclusive and `to` exclusive; null means no bound. */
  bands: z.array(z.object({ from: money, to: money, ...quartilesSchema.shape })),
  /** Figures by fiscal year, oldest first; year 0 means unknown. */
  years: z.array(z.object({ year: z.number(), ...slice })),
  /** Figures by month (`2025-03`), oldest first, at most the last 36 months; `n` counts projects won by companies. */
  months: z.array(z.object({ month: z.string(), ...slice })),
  methods: z.array(z.object({ method: z.string(), ...slice })),
  provinces: z.array(z.object({ province: z.nullable(z.string()), ...slice })),
  ignored_parameters: z.array(z.string()),
})
export type WhoWins = z.output<typeof whoWinsSchema>

/** A project behind a figure; `value` is its total price, regardless of the winner. */
const wonProjectSchema = z.object({
  project_id: companyProjectSchema.shape.project_id,
  name: z.string(),
  dept_name: z.string(),
  project_province: z.nullable(z.string()),
  method: z.string(),
  estimate_budget: money,
  value: money,
  discount: money,
  decided_date: date,
  /** Companies, highest value first; for natural persons only the type of person. */
  winners: z.array(z.string()),
  in_report: z.boolean(),
})
export type WonProject = z.output<typeof wonProjectSchema>

/**
 * `GET /who-wins/projects` takes the search with `rows` (the selected figure) and `page`. `total` equals the figure:
 * `found` (the whole search), `decided`, `won` (by companies), `priced` (with a discount), `against_budget`, `bidders`
 * (with a bidder list), `terminated` (a contract terminated early), `company:<id>`, `agency:<name>`, `year:2568` (0:
 * unknown), `month:2025-03`, `calendar_month:3` (of any year), `method:…`, `province:…` (empty: unknown),
 * `region:north`, `discount:0.04` (a bin's `from`, `below` for the first) and `band:500000-5000000` (limits empty where
 * open). Figures of signs are named in their response (contract/market/unusual-award-patterns.ts).
 */
export const wonProjectsSchema = z.object({
  total: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(wonProjectSchema),
})
export type WonProjects = z.output<typeof wonProjectsSchema>
export const WON_PROJECTS_PAGE_SIZE = 20

export function formatIgnoredBidStatesNotice({ project_bidding__in: bidStates }: ReportSearch): string | undefined {
  const [words] = bidStates ? getSearchFilterTexts({ project_bidding__in: bidStates }, []) : []
  if (!words) return undefined
  return `หน้านี้ไม่ใช้ “${words.negated ? 'ไม่ใช่' : ''}${spellOutSearchOperators(words.value)}” ที่เลือกไว้ เพราะงานที่รู้ผู้ชนะคืองานที่ประกาศผลแล้ว จึงนับทุกโครงการที่ตัวกรองอื่นพบ`
}

/**
 * Returns the parameters that identify a saved query (filters, market and company ranking); equal queries give equal
 * parameters.
 */
export function buildSavedQuestionParams(search: ReportSearch): Record<string, string> {
  const viewParams: readonly string[] = REPORT_VIEW_PARAMS
  const filters = Object.fromEntries(
    Object.entries(omitBidStates(search)).filter(([name]) => !viewParams.includes(name)),
  ) as ReportSearch
  const { market, rank } = search
  return formatReportSearch({ ...filters, ...(market && { market }), ...(rank && { rank }) })
}

export function formatSavedQuestion(search: ReportSearch, labels: readonly Label[], team?: TeamFilterNames): string {
  const words = getSearchFilterTexts(omitBidStates(search), labels, team).map(({ label, value, negated }) =>
    [label, negated && 'ไม่ใช่', spellOutSearchOperators(value)].filter(Boolean).join(' '),
  )
  const scopeText = search.market ? 'ทุกโครงการในตลาด' : 'โครงการของเรา'
  return words.length === 0 ? scopeText : `${scopeText} · ${words.join(' · ')}`
}
