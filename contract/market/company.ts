import { z } from 'zod/mini'
import { statisticsScopeSchema } from './statistics-scope.ts'

/**
 * Companies and their wins. Responses of `GET /companies`, `/company-suggestions`, `/company-winners`,
 * `/companies/{name}` and its sub-resources. Money is baht, dates ISO, unknown is null, never 0.
 *
 * A company is identified by its 13-digit tax id; without one, by its name without the legal form. If sellers with that
 * name have different (hidden) personal ids, each id is a separate company; otherwise each province is. Natural persons
 * are not companies: they have no page, and their contracts count only in departments' spending. A win is a project in
 * which the company has a contract or was announced as winner, and that was not cancelled; several contracts are one
 * win. Its value is the sum of the company's contracts in the project.
 */
const money = z.nullable(z.number())
const date = z.nullable(z.string())

export const MIN_BIDS_FOR_WIN_RATE = 5
/**
 * Minimum number of projects for a discount ranking. Companies with fewer projects rank last, because one project at
 * half price is not a pattern.
 */
export const MIN_DISCOUNTS_TO_RANK = 5

/**
 * Discounts relative to the reference price (D20), only for projects with one winner and a reference price. Negative
 * when the price is above it. Projects comparable only with the budget are reported separately and excluded from all
 * other figures.
 */
export const discountFiguresSchema = z.object({
  n: z.number(),
  /** Discount weighted by value: Σ(reference − price) / Σ reference. */
  weighted: money,
  median: money,
  against_budget: z.object({ n: z.number(), weighted: money, median: money }),
})
export type DiscountFigures = z.output<typeof discountFiguresSchema>

/** Wins divided by decided bids (D21); null for fewer bids than `MIN_BIDS_FOR_WIN_RATE`. */
export const bidFiguresSchema = z.object({ bids: z.number(), won: z.number(), win_rate: money })
export type BidFigures = z.output<typeof bidFiguresSchema>

export const companyRefSchema = z.object({
  id: z.number(),
  name: z.string(),
  tax_id: z.nullable(z.string()),
  /** True if another company has the same name, so that the URL of this company needs the tax id. */
  is_shared_name: z.boolean(),
  is_sme: z.nullable(z.boolean()),
})
export type CompanyRef = z.output<typeof companyRefSchema>

const companyRowSchema = z.object({
  ...companyRefSchema.shape,
  wins: z.number(),
  value: money,
  bids: z.nullable(bidFiguresSchema),
  discount: discountFiguresSchema,
  departments: z.number(),
  top_method: z.nullable(z.string()),
  last_win_date: date,
  coverage: statisticsScopeSchema.shape.coverage,
})
export type CompanyRow = z.output<typeof companyRowSchema>

export const companyListSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  total: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(companyRowSchema),
  /** Totals over all matching companies, not only those on this page. */
  totals: z.object({ wins: z.number(), value: money }),
  scope: statisticsScopeSchema,
  similar: z.array(companyRefSchema),
  years: z.array(z.number()),
  ignored_parameters: z.array(z.string()),
})
export type CompanyList = z.output<typeof companyListSchema>

/** `GET /company-suggestions?q=`: at most ten, most wins first. `q` is part of a name or tax id. */
export const companySuggestionsSchema = z.object({
  results: z.array(z.object({ ...companyRefSchema.shape, wins: z.number(), value: money })),
})
export type CompanySuggestion = z.output<typeof companySuggestionsSchema>['results'][number]

/** `GET /company-winners`: awards in the organisation's report in the last seven days of data, newest first. */
export const recentCompanyWinsSchema = z.object({
  from_date: date,
  to_date: date,
  total: z.number(),
  results: z.array(
    z.object({
      company: z.nullable(companyRefSchema),
      /** Name of the winner; for a natural person only the type of person. */
      winner_name: z.string(),
      project_id: z.string(),
      project_name: z.string(),
      dept_name: z.string(),
      value: money,
      decided_date: date,
      discount: z.nullable(z.object({ rate: z.number(), against: z.enum(['reference', 'budget']) })),
      /** True if this is the company's first win in the organisation's report. */
      is_new: z.boolean(),
    }),
  ),
})
export type RecentCompanyWins = z.output<typeof recentCompanyWinsSchema>

const slice = { wins: z.number(), value: money }

export const companyDetailSchema = z.object({
  company: companyRefSchema,
  aliases: z.array(z.string()),
  scope: statisticsScopeSchema,
  years: z.array(z.number()),
  figures: z.object({
    wins: z.number(),
    contracts: z.number(),
    value: money,
    bids: z.nullable(bidFiguresSchema),
    discount: discountFiguresSchema,
    median_contract: money,
    /**
     * Contracts running today (signed, before their end date, not closed); `active_value` is the total value won in
     * their projects.
     */
    active_contracts: z.number(),
    active_value: money,
    terminated: z.optional(z.number()),
    first_win_date: date,
    last_win_date: date,
    top_department: z.nullable(z.object({ department: z.string(), value: money, spent: money, share: money })),
  }),
  previous: z.nullable(
    z.object({
      year_from: z.number(),
      year_to: z.number(),
      wins: z.number(),
      value: money,
      weighted_discount: money,
      win_rate: money,
    }),
  ),
  /**
   * Wins by fiscal year, oldest first, including years without a win; `is_open` marks an unfinished year. Year 0
   * collects wins with an unknown fiscal year.
   */
  by_year: z.array(z.object({ year: z.number(), ...slice, is_open: z.boolean() })),
  /**
   * The fifteen departments with the highest value, then all others as one row with a null name. `share` is relative to
   * the department's spending.
   */
  by_department: z.array(
    z.object({
      department: z.nullable(z.string()),
      departments: z.number(),
      ...slice,
      share: money,
      first_win_date: date,
      last_win_date: date,
    }),
  ),
  by_method: z.array(z.object({ method: z.string(), ...slice })),
  by_type: z.array(z.object({ method_type: z.string(), ...slice })),
  by_criteria: z.array(z.object({ criteria: z.string(), ...slice, weighted_discount: money, n_discount: z.number() })),
  by_province: z.array(z.object({ province: z.nullable(z.string()), ...slice })),
  /**
   * Discounts against the reference price only, in steps of 2.5 percentage points, `from` inclusive; the first bin has
   * no lower bound, the last no upper bound.
   */
  discount_bins: z.array(z.object({ from: z.number(), count: z.number() })),
  /** Discounts by band of the reference price in baht, `from` inclusive and `to` exclusive; null means no bound. */
  discount_by_size: z.array(
    z.object({ from: z.nullable(z.number()), to: z.nullable(z.number()), discount: discountFiguresSchema }),
  ),
  competitors: z.array(
    z.object({
      company: companyRefSchema,
      met: z.number(),
      we_won: z.number(),
      they_won: z.number(),
      others_won: z.number(),
      /**
       * Mean of (their price − this company's price) / reference price, over meetings where all three prices are known.
       */
      mean_gap: money,
      n_gap: z.number(),
      last_met_date: date,
    }),
  ),
})
export type CompanyDetail = z.output<typeof companyDetailSchema>

export const companyProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  project_province: z.nullable(z.string()),
  fiscal_year: z.nullable(z.number()),
  method: z.string(),
  method_type: z.string(),
  criteria: z.string(),
  status: z.string(),
  movement: z.string(),
  budget: money,
  estimate_budget: money,
  is_winner: z.boolean(),
  value: money,
  bid_price: money,
  discount: z.nullable(z.object({ rate: z.number(), against: z.enum(['reference', 'budget']) })),
  decided_date: date,
  winner_name: z.nullable(z.string()),
  winner_count: z.number(),
  bidders: z.nullable(z.number()),
  in_report: z.boolean(),
})
export type CompanyProject = z.output<typeof companyProjectSchema>

/**
 * `GET /companies/{name}/projects` takes the scope's parameters, `rows`, `ordering`, `page` and `page_size`. `rows` is
 * the selected figure, and `total` equals it: `all`, `wins`, `bids` (decided), `bids_won`, `lost`,
 * `against_budget`, `active` (projects with a running contract), `year:2568` (0: unknown), `department:…`,
 * `other_departments`, `method:…`, `type:…`, `criteria:…`, `province:…` (empty: unknown), `discount:0.025` (a bin's
 * `from`), `size:500000-5000000` (band limits, empty where open), `with:<company id>` and `with:<company id>:we_won`,
 * `they_won`, `others_won`.
 */
export const companyProjectsSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  total: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(companyProjectSchema),
  totals: z.object({ wins: z.number(), value: money }),
})
export type CompanyProjects = z.output<typeof companyProjectsSchema>

/** `GET /companies/{name}/timeline`: wins and bids in the scope, oldest first; only the newest 2,000. */
export const companyTimelineSchema = z.object({
  total: z.number(),
  results: z.array(
    z.object({
      project_id: z.string(),
      name: z.string(),
      date: z.string(),
      value: money,
      method: z.string(),
      is_winner: z.boolean(),
      in_report: z.boolean(),
    }),
  ),
})
export type CompanyTimeline = z.output<typeof companyTimelineSchema>
