import { z } from 'zod/mini'
import type { Label } from '../account/label.ts'
import { plainText, searchFilterTexts } from '../report/filter-text.ts'
import type { TeamNames } from '../report/list-choices.ts'
import { printReportSearch, REPORT_VIEW_PARAMS, type ReportSearch, winsSearch } from '../report/report-params.ts'
import { bidFiguresSchema, companyProjectSchema, companyRefSchema } from './company.ts'
import { figureScopeSchema } from './figure-scope.ts'

/**
 * Who wins, where and at which price among the projects that a search of the report finds. Answers of `GET /who-wins` and `GET /who-wins/projects`. Money is
 * baht, dates ISO, unknown is null, never 0.
 *
 * Wins, values and discounts mean what the pages of companies mean (contract/market/company.ts). Agencies, places, methods and years are counted over every
 * decided project, those that natural persons won among them; companies, months and discounts over what companies won.
 */
const money = z.nullable(z.number())
const date = z.nullable(z.string())

/** Fewest wins that anybody is ranked by, and fewest projects that a median or a quartile is said of. */
export const FEWEST_RANKED = 5
/** Companies and agencies of an answer. */
export const MOST_RANKED = 50

/** Discounts below the reference price (D20) of `n` projects; the quartiles are null of fewer than `FEWEST_RANKED`. */
const quartilesSchema = z.object({ n: z.number(), lower: money, median: money, upper: money })
export type Quartiles = z.output<typeof quartilesSchema>

/** Projects, and what the known ones of them cost together. */
const slice = { n: z.number(), value: money }

export const winningCompanySchema = z.object({
  ...companyRefSchema.shape,
  wins: z.number(),
  value: money,
  /** Of what all decided projects cost. */
  share: money,
  bids: z.nullable(bidFiguresSchema),
  discount: z.object({ n: z.number(), median: money }),
  first_win_date: date,
  last_win_date: date,
  /** Projects of the question that the user starred and in which they took part. */
  met: z.number(),
})
export type WinningCompany = z.output<typeof winningCompanySchema>

export const whoWinsSchema = z.object({
  /** `n`: projects with a company in them. */
  scope: figureScopeSchema,
  /** Projects that the search finds; of these decided; of these won by companies. */
  projects: z.number(),
  decided: z.number(),
  won: z.number(),
  figures: z.object({
    /** Companies that won. */
    winners: z.number(),
    /** What the decided projects cost, of `n_value` of which it is known. */
    value: money,
    n_value: z.number(),
    /** Part of it that the five companies of most value won. */
    top_five_share: money,
    /** Companies that bid for a project whose bidders are known, on average. */
    bidders: z.object({ n: z.number(), mean: money }),
    discount: quartilesSchema,
    /** Projects whose price only the budget can be held against: in no figure of discounts. */
    against_budget: z.number(),
    /** Projects found with a contract that was ended early, whoever won it. */
    terminated: z.optional(z.number()),
  }),
  companies: z.object({
    total: z.number(),
    /** Fewer than `FEWEST_RANKED` wins in all: `results` is empty. */
    is_ranked: z.boolean(),
    results: z.array(winningCompanySchema),
  }),
  agencies: z.object({
    total: z.number(),
    results: z.array(
      z.object({
        /** Department, not its unit. */
        name: z.string(),
        ...slice,
        /** Projects won by companies, by calendar month from January on. */
        months: z.array(z.number()),
      }),
    ),
  }),
  /** In steps of two points, `from` inclusive; the first bin is below the reference price by nothing, the last open above. */
  discount_bins: z.array(z.object({ from: money, count: z.number() })),
  /** By the reference price, baht, `from` inclusive and `to` exclusive; null is open. */
  bands: z.array(z.object({ from: money, to: money, ...quartilesSchema.shape })),
  /** Fiscal years, oldest first; 0: unknown. */
  years: z.array(z.object({ year: z.number(), ...slice })),
  /** `2025-03`, oldest first, at most the last 36; `n` projects that companies won. */
  months: z.array(z.object({ month: z.string(), ...slice })),
  /** Most first, as methods and provinces. */
  methods: z.array(z.object({ method: z.string(), ...slice })),
  /** Null: not known where. */
  provinces: z.array(z.object({ province: z.nullable(z.string()), ...slice })),
  ignored_parameters: z.array(z.string()),
})
export type WhoWins = z.output<typeof whoWinsSchema>

/** A project behind a figure; `value` is what it cost, whoever won it. */
export const wonProjectSchema = z.object({
  project_id: companyProjectSchema.shape.project_id,
  name: z.string(),
  dept_name: z.string(),
  project_province: z.nullable(z.string()),
  method: z.string(),
  estimate_budget: money,
  value: money,
  /** Of a project with one winner whose reference price is known. */
  discount: money,
  decided_date: date,
  /** Companies, the one of most value first; for natural persons the kind alone. */
  winners: z.array(z.string()),
  in_report: z.boolean(),
})
export type WonProject = z.output<typeof wonProjectSchema>

/**
 * `GET /who-wins/projects`: the search with `rows`, the figure that was clicked, and `page`. `total` equals the figure: `found` (all of the search),
 * `decided`, `won` (by companies), `priced` (with a discount), `against_budget`, `bidders` (bidders known), `terminated` (a contract ended early), `company:<id>`, `agency:<name>`, `year:2568`
 * (0: unknown), `month:2025-03`, `calendar_month:3` (of any year), `method:…`, `province:…` (empty: unknown), `region:north`, `discount:0.04` (a bin's `from`, `below` for the first) and
 * `band:500000-5000000` (sides empty where open). Figures of signs are named by their answer (contract/market/odd-signs.ts).
 */
export const wonProjectsSchema = z.object({
  total: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(wonProjectSchema),
})
export type WonProjects = z.output<typeof wonProjectsSchema>
export const WON_PROJECTS_A_PAGE = 20

/** Says which bid states of a search the view of winners does not use; undefined when there are none. */
export function unusedBidStatesText({ project_bidding__in: bidStates }: ReportSearch): string | undefined {
  const [words] = bidStates ? searchFilterTexts({ project_bidding__in: bidStates }, []) : []
  if (!words) return undefined
  return `หน้านี้ไม่ใช้ “${words.negated ? 'ไม่ใช่' : ''}${plainText(words.value)}” ที่เลือกไว้ เพราะงานที่รู้ผู้ชนะคืองานที่ประกาศผลแล้ว จึงนับทุกโครงการที่ตัวกรองอื่นพบ`
}

/** What a question is made of, as parameters of the address: the filters, whose projects, and the order of the companies. Equal questions have equal ones. */
export function questionAddress(search: ReportSearch): Record<string, string> {
  const shown: readonly string[] = REPORT_VIEW_PARAMS
  const filters = Object.fromEntries(
    Object.entries(winsSearch(search)).filter(([name]) => !shown.includes(name)),
  ) as ReportSearch
  const { market, rank } = search
  return printReportSearch({ ...filters, ...(market && { market }), ...(rank && { rank }) })
}

/** What is asked, in words: whose projects, and the filters. */
export function questionText(search: ReportSearch, labels: readonly Label[], team?: TeamNames): string {
  const words = searchFilterTexts(winsSearch(search), labels, team).map(({ label, value, negated }) =>
    [label, negated && 'ไม่ใช่', plainText(value)].filter(Boolean).join(' '),
  )
  const whose = search.market ? 'ทุกโครงการในตลาด' : 'โครงการของเรา'
  return words.length === 0 ? whose : `${whose} · ${words.join(' · ')}`
}
