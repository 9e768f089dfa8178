import { z } from 'zod/mini'
import { figureScopeSchema } from './figure-scope.ts'

/**
 * Companies: who won what. Answers of `GET /companies`, `/company-suggestions`, `/company-winners`, `/companies/{name}` and what its page loads.
 * Money is baht, dates ISO, unknown is null, never 0.
 *
 * A company is one 13-digit tax id; without one, one name without its legal form, and where people's ids beside the name differ, one of those ids, else one
 * province. Natural persons are no companies: they have no page, and
 * their contracts count in what departments spent alone.
 * A win is a project in which the company has a contract or was announced as winner, and that nobody cancelled; however many contracts, one win.
 * Its value is the sum of the company's contracts there.
 */
const money = z.nullable(z.number())
const date = z.nullable(z.string())

/** Fewest bids with a known result that a win rate is said of (D21). */
export const FEWEST_BIDS = 5
/** Fewest projects that companies are ranked by the discount of; those with fewer stand behind. One project sold at half the price is no habit. */
export const FEWEST_DISCOUNTS = 5

/**
 * Discounts against the reference price (D20): only of projects with one winner, whose reference price is known. Negative is above it.
 * Those that only the budget can be held against stand apart and enter no other figure.
 */
export const discountFiguresSchema = z.object({
  n: z.number(),
  /** Σ(reference − price) / Σ reference. */
  weighted: money,
  median: money,
  against_budget: z.object({ n: z.number(), weighted: money, median: money }),
})
export type DiscountFigures = z.output<typeof discountFiguresSchema>

/** Wins ÷ bids with a known result (D21); null with fewer than `FEWEST_BIDS` of them. */
export const bidFiguresSchema = z.object({ bids: z.number(), won: z.number(), win_rate: money })
export type BidFigures = z.output<typeof bidFiguresSchema>

/** What names a company, links to it and distinguishes it from others. */
export const companyRefSchema = z.object({
  id: z.number(),
  name: z.string(),
  tax_id: z.nullable(z.string()),
  /** Another company has the same name: its address needs the tax id. */
  is_shared_name: z.boolean(),
  is_sme: z.nullable(z.boolean()),
})
export type CompanyRef = z.output<typeof companyRefSchema>

export const companyRowSchema = z.object({
  ...companyRefSchema.shape,
  wins: z.number(),
  value: money,
  /** Null where no bidder list of a project of theirs is known. */
  bids: z.nullable(bidFiguresSchema),
  discount: discountFiguresSchema,
  /** Departments (not units) that they won from. */
  departments: z.number(),
  /** Method of most of the wins, code or as received. */
  top_method: z.nullable(z.string()),
  last_win_date: date,
  coverage: figureScopeSchema.shape.coverage,
})
export type CompanyRow = z.output<typeof companyRowSchema>

/** `GET /companies`. */
export const companyListSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  /** Companies found. */
  total: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(companyRowSchema),
  /** Over all companies found, not over the page. */
  totals: z.object({ wins: z.number(), value: money }),
  scope: figureScopeSchema,
  /** Only when a name found nothing: names like it. */
  similar: z.array(companyRefSchema),
  /** Fiscal years that have awards at all, newest first. */
  years: z.array(z.number()),
  ignored_parameters: z.array(z.string()),
})
export type CompanyList = z.output<typeof companyListSchema>

/** `GET /company-suggestions?q=`: at most ten, those that won most first. `q`: part of a name or of a tax id. */
export const companySuggestionsSchema = z.object({
  results: z.array(z.object({ ...companyRefSchema.shape, wins: z.number(), value: money })),
})
export type CompanySuggestion = z.output<typeof companySuggestionsSchema>['results'][number]

/** `GET /company-winners`: awards in the organisation's report of the last seven days of data, the newest first. */
export const companyWinnersSchema = z.object({
  from_date: date,
  to_date: date,
  total: z.number(),
  results: z.array(
    z.object({
      company: z.nullable(companyRefSchema),
      /** As it was announced; for natural persons the kind alone. */
      winner_name: z.string(),
      project_id: z.string(),
      project_name: z.string(),
      dept_name: z.string(),
      value: money,
      decided_date: date,
      discount: z.nullable(z.object({ rate: z.number(), against: z.enum(['reference', 'budget']) })),
      /** Their first win in the organisation's report. */
      is_new: z.boolean(),
    }),
  ),
})
export type CompanyWinners = z.output<typeof companyWinnersSchema>

/** One bar, line or row of a breakdown. */
const slice = { wins: z.number(), value: money }

/** `GET /companies/{name}?tin=` with the parameters of the figure scope. */
export const companyDetailSchema = z.object({
  company: companyRefSchema,
  /** Other spellings that occur, the most frequent first. */
  aliases: z.array(z.string()),
  /** Of a company without a tax id: how many other sellers bear its name, told apart by hidden ids or by province. */
  namesakes: z.optional(z.number()),
  scope: figureScopeSchema,
  /** Fiscal years in which they won or bid at all, newest first, whatever the scope. */
  years: z.array(z.number()),
  figures: z.object({
    wins: z.number(),
    contracts: z.number(),
    value: money,
    bids: z.nullable(bidFiguresSchema),
    discount: discountFiguresSchema,
    median_contract: money,
    /** Contracts under way today: signed, not past their end, not closed; and what was won in the projects that have one. */
    active_contracts: z.number(),
    active_value: money,
    /** Wins with a contract of theirs that was ended early. */
    terminated: z.optional(z.number()),
    first_win_date: date,
    last_win_date: date,
    /** Their part of what the department they won most from spent in the same scope. */
    top_department: z.nullable(z.object({ department: z.string(), value: money, spent: money, share: money })),
  }),
  /** The same figures over the same number of years before; null where there is no earlier year in the data. */
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
  /** Oldest first, years between without a win too; `is_open`: the year is not over. Year 0: wins of which no fiscal year is known. */
  by_year: z.array(z.object({ year: z.number(), ...slice, is_open: z.boolean() })),
  /** The fifteen of most value, then the others as one with a null name. `share`: of what the department spent. */
  by_department: z.array(
    z.object({
      department: z.nullable(z.string()),
      /** Departments behind the row: 1, or how many the others are. */
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
  /** Against the reference price alone, in steps of 2.5 points, `from` inclusive; the first bin is open below, the last above. */
  discount_bins: z.array(z.object({ from: z.number(), count: z.number() })),
  /** By size of the reference price, baht, `from` inclusive and `to` exclusive; null is open. */
  discount_by_size: z.array(
    z.object({ from: z.nullable(z.number()), to: z.nullable(z.number()), discount: discountFiguresSchema }),
  ),
  /** Those who bid against them in projects whose bidders are known, met most often first, at most twenty. */
  competitors: z.array(
    z.object({
      company: companyRefSchema,
      met: z.number(),
      /** Of the meetings with a known result: this company won, the other won, somebody else won. */
      we_won: z.number(),
      they_won: z.number(),
      others_won: z.number(),
      /** Mean of (their price − ours) / reference price, over meetings where all three are known. */
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
  /** What they were awarded there, and what they had offered where bidders are known. */
  value: money,
  bid_price: money,
  discount: z.nullable(z.object({ rate: z.number(), against: z.enum(['reference', 'budget']) })),
  decided_date: date,
  winner_name: z.nullable(z.string()),
  winner_count: z.number(),
  /** Bidders known; null where only the winner is. */
  bidders: z.nullable(z.number()),
  /** Whether the caller's report holds it, and so can open it. */
  in_report: z.boolean(),
})
export type CompanyProject = z.output<typeof companyProjectSchema>

/** Fields that `GET /companies/{name}/projects` sorts by. */
export const COMPANY_PROJECT_SORT_FIELDS = ['decided_date', 'value', 'estimate_budget', 'discount', 'name'] as const

/**
 * `GET /companies/{name}/projects`: the scope's parameters, `rows`, `ordering`, `page`, `page_size`. `rows` is the figure that was clicked, and `total`
 * equals it: `all`, `wins`, `bids` (with a known result), `bids_won`, `lost`, `against_budget`, `active` (projects with a contract under way),
 * `year:2568` (0: unknown), `department:…`, `other_departments`, `method:…`, `type:…`, `criteria:…`, `province:…` (empty: unknown), `discount:0.025`
 * (a bin's `from`), `size:500000-5000000` (a band's sides, empty where open), `with:<company id>` and `with:<company id>:we_won`, `they_won`,
 * `others_won`.
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

/** `GET /companies/{name}/timeline`: wins and bids in the scope, oldest first; at most 2,000, the newest kept. */
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
