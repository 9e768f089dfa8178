import { z } from 'zod/mini'

/**
 * The annual budget: items that parliament gave money for, and what became of them in e-GP. Money is baht, unknown is null, never 0.
 * The layout is that of the public machine-readable set (ITEM_ID, REF_DOC, REF_PAGE_NO, MINISTRY, BUDGETARY_UNIT, CROSS_FUNC?, BUDGET_PLAN,
 * OUTPUT, PROJECT, CATEGORY_LV1–6, ITEM_DESCRIPTION, FISCAL_YEAR, AMOUNT, OBLIGED?).
 */
const money = z.nullable(z.number())

/** The way down: each level stands in the one before. `project` is the layout's PROJECT, or its OUTPUT where an item has none. */
export const BUDGET_LEVELS = ['ministry', 'unit', 'plan', 'project', 'item'] as const
export type BudgetLevel = (typeof BUDGET_LEVELS)[number]

/** What became of an item, the furthest of its linked projects: nothing announced yet, draft, invitation, contract or winner; or all cancelled. */
export const BUDGET_ITEM_STATES = [
  { code: 'none', th: 'ยังไม่ประกาศ' },
  { code: 'draft', th: 'ร่าง TOR' },
  { code: 'invited', th: 'ประกาศเชิญชวน' },
  { code: 'awarded', th: 'ได้ผู้ชนะ' },
  { code: 'cancelled', th: 'ยกเลิก' },
] as const
export type BudgetItemState = (typeof BUDGET_ITEM_STATES)[number]['code']

/** How sure a link from an item to a project is, from 0 to 1; below `SURE_LINK` it is shown as a guess and counts in no figure until confirmed. */
export const SURE_LINK = 0.7

export const budgetScopeSchema = z.object({
  fiscal_year: z.number(),
  /** `matched`: items that the organisation's words let in; `all`: every item of the year. */
  universe: z.enum(['all', 'matched']),
  /** Items that the figures are made of. */
  n: z.number(),
  /** Items of the year that were loaded; null years have no data. */
  n_year: z.number(),
  computed_at: z.nullable(z.string()),
  /** Source documents of the year. */
  sources: z.array(z.string()),
})
export type BudgetScope = z.output<typeof budgetScopeSchema>

const count = z.object({ n: z.number(), amount: money })

export const budgetItemSchema = z.object({
  id: z.number(),
  /** ITEM_ID of the source. */
  item_id: z.string(),
  fiscal_year: z.number(),
  ministry: z.string(),
  unit: z.string(),
  plan: z.string(),
  output: z.nullable(z.string()),
  project: z.nullable(z.string()),
  /** Levels 1 to 6, those that there are. */
  categories: z.array(z.string()),
  description: z.string(),
  amount: money,
  is_multi_year: z.boolean(),
  is_cross_function: z.boolean(),
  /** Named in the description; null where none is. */
  province: z.nullable(z.string()),
  source_document: z.string(),
  source_page: z.nullable(z.number()),
  /** The organisation's words that stand in it, and excluding ones that do not let it count as matched. */
  matched_words: z.array(z.string()),
  excluded_by: z.nullable(z.string()),
  state: z.enum(['none', 'draft', 'invited', 'awarded', 'cancelled']),
  /** Links that count (sure or confirmed), and guesses that wait for a decision. */
  links: z.number(),
  guesses: z.number(),
})
export type BudgetItem = z.output<typeof budgetItemSchema>

/** `GET /budgets`: items of one year, with the parameters of contract/market/budget-params.ts. */
export const budgetPageSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  total: z.number(),
  total_amount: money,
  page: z.number(),
  page_size: z.number(),
  results: z.array(budgetItemSchema),
  scope: budgetScopeSchema,
  /** Only when nothing was found: years in which the same search finds something. */
  elsewhere: z.array(z.object({ fiscal_year: z.number(), n: z.number() })),
  ignored_parameters: z.array(z.string()),
})
export type BudgetPage = z.output<typeof budgetPageSchema>

/** `GET /budgets/years`: what the package allows (D14), newest first. A year without data has `items` 0; a locked one has its number alone. */
export const budgetYearsSchema = z.object({
  years: z.array(z.object({ fiscal_year: z.number(), is_allowed: z.boolean(), items: z.nullable(z.number()) })),
  /** Limits of the organisation (`start_date_budgetyear`, `end_date_budgetyear`), ISO. */
  date_limits: z.object({ start: z.nullable(z.string()), end: z.nullable(z.string()) }),
})
export type BudgetYears = z.output<typeof budgetYearsSchema>

/** `GET /budgets/summary`: figures over all items found, computed in the database. */
export const budgetSummarySchema = z.object({
  scope: budgetScopeSchema,
  amount: money,
  /** The same search in the year before; null where that year is not loaded or not in the package. */
  last_year: z.nullable(z.object({ fiscal_year: z.number(), n: z.number(), amount: money })),
  /** Items and baht by the furthest state that they reached; each step holds those of the steps after it (cancelled stands apart). */
  funnel: z.object({ budget: count, draft: count, invited: count, awarded: count, cancelled: count }),
  /** Weighted by value, of awarded projects with a reference price. */
  discount: z.object({ n: z.number(), weighted: money, median: money }),
  /** Breakdown of the level below the one in the address, largest first; every row leads one level down. */
  level: z.enum(BUDGET_LEVELS),
  breakdown: z.array(
    z.object({
      /** Name at that level; for items the description. */
      name: z.string(),
      n: z.number(),
      amount: money,
      last_year_amount: money,
      announced: z.number(),
      awarded: z.number(),
    }),
  ),
  /** Rows that `breakdown` does not show, as one; null when it shows all. */
  others: z.nullable(z.object({ rows: z.number(), n: z.number(), amount: money })),
  /** By category level 1 over the years of the package, oldest first. */
  by_category: z.array(
    z.object({ category: z.string(), years: z.array(z.object({ fiscal_year: z.number(), amount: money })) }),
  ),
  /** Months (1–12) in which projects of the same units and words were announced in earlier years. */
  months: z.array(z.object({ month: z.number(), n: z.number() })),
  /** Items by state, whatever the state filter says: counts beside its options. */
  states: z.record(z.string(), z.number()),
  /** Of the words: how many items each finds in this year and in the year before. */
  words: z.array(
    z.object({
      word: z.string(),
      n: z.number(),
      amount: money,
      last_year_n: z.nullable(z.number()),
      last_year_amount: money,
    }),
  ),
})
export type BudgetSummary = z.output<typeof budgetSummarySchema>

export const budgetLinkSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  fiscal_year: z.nullable(z.number()),
  budget: money,
  winner_name: z.nullable(z.string()),
  winner_budget: money,
  movement: z.string(),
  movement_date: z.nullable(z.string()),
  state: z.enum(['draft', 'invited', 'awarded', 'cancelled']),
  confidence: z.number(),
  /** In Thai, what speaks for it: the unit, the words, the amount. */
  reasons: z.array(z.string()),
  /** What the organisation decided; null: nobody has. */
  decision: z.nullable(z.enum(['confirmed', 'rejected'])),
  decided_by: z.nullable(z.string()),
  in_report: z.boolean(),
})
export type BudgetLink = z.output<typeof budgetLinkSchema>

/** `GET /budgets/{id}`. */
export const budgetDetailSchema = z.object({
  item: budgetItemSchema,
  links: z.array(budgetLinkSchema),
  /** The same item in other years of the package, oldest first. */
  other_years: z.array(z.object({ id: z.number(), fiscal_year: z.number(), amount: money, description: z.string() })),
})
export type BudgetDetail = z.output<typeof budgetDetailSchema>

/** `POST /budgets/{id}/links/{projectId}`; null takes a decision back. Answers the detail. */
export const linkDecisionSchema = z.object({ decision: z.nullable(z.enum(['confirmed', 'rejected'])) })
export type LinkDecision = z.output<typeof linkDecisionSchema>['decision']
