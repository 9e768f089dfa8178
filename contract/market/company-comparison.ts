import { z } from 'zod/mini'
import { bidFiguresSchema, companyProjectSchema, companyRefSchema, discountFiguresSchema } from './company.ts'
import { statisticsScopeSchema } from './statistics-scope.ts'

/**
 * `GET /company-comparison?project_winner_name__in=A||B`: two to five companies side by side, with the parameters of
 * the figure scope, `common` and `project_criteria_for_consideration`. Companies are referenced by their index in
 * `companies`. Meetings and win rates use only projects with a bidder list (D21); without any, `has_meetings` is false
 * and only wins are compared.
 */
const money = z.nullable(z.number())
const date = z.nullable(z.string())

const comparedCompanySchema = z.object({
  ...companyRefSchema.shape,
  asked: z.string(),
  wins: z.number(),
  value: money,
  bids: z.nullable(bidFiguresSchema),
  discount: discountFiguresSchema,
  median_contract: money,
  departments: z.number(),
  active_contracts: z.number(),
  last_win_date: date,
  coverage: statisticsScopeSchema.shape.coverage,
})
export type ComparedCompany = z.output<typeof comparedCompanySchema>

/**
 * `a` precedes `b` in `companies`. Gap: (price of b − price of a) / reference price, over meetings where all three
 * prices are known. The matrix shows each pair in both directions, so b's gap is a's negated. A project in which both
 * won a part counts as a win for each.
 */
const companyHeadToHeadSchema = z.object({
  a: z.number(),
  b: z.number(),
  met: z.number(),
  a_won: z.number(),
  b_won: z.number(),
  others_won: z.number(),
  undecided: z.number(),
  mean_gap: money,
  median_gap: money,
  n_gap: z.number(),
  last_met_date: date,
})
export type CompanyHeadToHead = z.output<typeof companyHeadToHeadSchema>

const partSchema = z.object({
  company: z.number(),
  /** Bid price, or the awarded price if the bid is unknown. */
  price: money,
  is_winner: z.boolean(),
})

const commonProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  decided_date: date,
  estimate_budget: money,
  criteria: z.string(),
  winner_name: z.nullable(z.string()),
  parts: z.array(partSchema),
  lowest_price: money,
  in_report: z.boolean(),
})
export type CommonProject = z.output<typeof commonProjectSchema>

export const companyComparisonSchema = z.object({
  companies: z.array(comparedCompanySchema),
  scope: statisticsScopeSchema,
  has_meetings: z.boolean(),
  meetings: z.array(companyHeadToHeadSchema),
  /** Projects in which at least two of the companies bid or won, newest first; at most 500 of `common_total`. */
  common_projects: z.array(commonProjectSchema),
  common_total: z.number(),
  /** Bid (or awarded) price relative to the reference price, oldest first; only the newest 3,000 of `prices_total`. */
  prices: z.array(
    z.object({
      company: z.number(),
      project_id: z.string(),
      name: z.string(),
      date: z.string(),
      /** Price divided by reference price: 0.92 is 8 % below the reference price. */
      ratio: z.number(),
      is_winner: z.boolean(),
      criteria: z.string(),
      in_report: z.boolean(),
    }),
  ),
  prices_total: z.number(),
  /**
   * Wins by department, most wins first; at most 40 of `departments_total`. `cells` follow the order of `companies`.
   */
  departments: z.array(
    z.object({ department: z.string(), cells: z.array(z.object({ wins: z.number(), value: money })) }),
  ),
  departments_total: z.number(),
  /**
   * Wins and value by dimension; `cells` follow the order of `companies`. Sizes are `from`-`to` of the value in baht,
   * `to` inclusive (`0-500000`, open: `50000000-`); unknown sizes are `unknown`.
   */
  mix: z.array(
    z.object({
      dimension: z.enum(['method', 'type', 'size', 'province']),
      value: z.string(),
      cells: z.array(z.object({ wins: z.number(), value: money })),
    }),
  ),
  /** Names in the URL that match no company, and all names beyond the fifth. */
  unknown: z.array(z.object({ asked: z.string(), similar: z.array(companyRefSchema) })),
  left_out: z.array(z.string()),
})
export type CompanyComparison = z.output<typeof companyComparisonSchema>

/**
 * `GET /company-comparison/projects?…&a=<id>&b=<id>&result=met|a_won|b_won|others_won|undecided`: the projects behind a
 * cell of the matrix.
 */
export const companyComparisonProjectsSchema = z.object({
  total: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(z.object({ ...commonProjectSchema.shape, fiscal_year: companyProjectSchema.shape.fiscal_year })),
})
export type CompanyComparisonProjects = z.output<typeof companyComparisonProjectsSchema>

/**
 * `GET /company-comparison/pairs`: the pairs of companies that meet most often in the organisation's report, offered as
 * a starting point.
 */
export const companyComparisonPairsSchema = z.object({
  results: z.array(z.object({ a: companyRefSchema, b: companyRefSchema, met: z.number() })),
})

export const likelyBiddersSchema = z.object({
  project: z.object({ project_id: z.string(), name: z.string(), submission_end_date: z.nullable(z.string()) }),
  results: z.array(z.object({ company: companyRefSchema, wins: z.number(), bids: z.number(), reason: z.string() })),
})
export type LikelyBidders = z.output<typeof likelyBiddersSchema>
