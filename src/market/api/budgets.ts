import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type BudgetDetail,
  type BudgetItem,
  type BudgetItemState,
  type BudgetLink,
  type BudgetPage,
  budgetDetailSchema,
  budgetPageSchema,
  budgetSummarySchema,
  budgetYearsSchema,
  type LinkDecision,
  SURE_LINK,
} from '#contract/market/budget.ts'
import { type BudgetSearch, printBudgetSearch } from '#contract/market/budget-params.ts'
import { request } from '#src/api/http/client.ts'
import { budgetKeys } from '#src/api/http/keys.ts'
import { defineChange, mutate, overlaidData } from '#src/api/optimistic.ts'

/** Furthest first: the state of an item is the furthest of its projects; cancelled only where all of them are. */
const BY_PROGRESS = ['awarded', 'invited', 'draft', 'cancelled'] as const satisfies readonly BudgetItemState[]

/** Whether a link counts in the figures: confirmed, or sure and not rejected. */
export function linkCounts({ decision, confidence }: Pick<BudgetLink, 'decision' | 'confidence'>): boolean {
  return decision === 'confirmed' || (decision === null && confidence >= SURE_LINK)
}

/** The detail as it will be once a decision is stored, so that the screen need not wait for the answer. */
export function withDecision(detail: BudgetDetail, projectId: string, decision: LinkDecision): BudgetDetail {
  const links = detail.links.map((link) =>
    link.project_id === projectId ? { ...link, decision, decided_by: null } : link,
  )
  const counting = links.filter(linkCounts)
  return {
    ...detail,
    links,
    item: {
      ...detail.item,
      state: BY_PROGRESS.find((state) => counting.some((link) => link.state === state)) ?? 'none',
      links: counting.length,
      guesses: links.filter((link) => link.decision === null && link.confidence < SURE_LINK).length,
    },
  }
}

/** The budget itself is loaded once a year; what became of its items changes with the nightly load and with decisions made here. */
const FRESH_MS = 30_000
const YEARS_FRESH_MS = 5 * 60_000

/** Which fiscal years the package has. */
export const budgetYearsQuery = queryOptions({
  queryKey: budgetKeys.years,
  queryFn: ({ signal }) => request('budgets/years', { schema: budgetYearsSchema, signal }),
  staleTime: YEARS_FRESH_MS,
})

/** One page of the items of a year. Which item is open beside it changes nothing in it. */
export const budgetPageQuery = ({ item: _item, ...search }: BudgetSearch) => {
  const query = printBudgetSearch(search)
  return queryOptions({
    queryKey: budgetKeys.page(query),
    queryFn: ({ signal }) => request('budgets', { query, schema: budgetPageSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** Figures over all items found; order and page change nothing in them. */
export const budgetSummaryQuery = (search: BudgetSearch) => {
  const { item: _item, page: _page, page_size: _size, ordering: _ordering, ...found } = search
  const query = printBudgetSearch(found)
  return queryOptions({
    queryKey: budgetKeys.summary(query),
    queryFn: ({ signal }) => request('budgets/summary', { query, schema: budgetSummarySchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** One item with its projects and its other years. */
export const budgetDetailQuery = (id: number) =>
  queryOptions({
    queryKey: budgetKeys.detail(id),
    queryFn: ({ signal }) => request(`budgets/${id}`, { schema: budgetDetailSchema, signal }),
    staleTime: FRESH_MS,
  })

type Decision = { readonly id: number; readonly projectId: string; readonly decision: LinkDecision }

const linkMutation = defineChange<Decision, BudgetDetail>({
  name: 'budget-links',
  layers: [
    {
      key: ({ id }) => budgetKeys.detail(id),
      apply: (detail: BudgetDetail, { projectId, decision }) => withDecision(detail, projectId, decision),
      settle: (_detail: BudgetDetail, answer) => answer,
    },
    {
      // The item's row, wherever it stands in a page.
      key: [...budgetKeys.all, 'page'],
      apply: (page: BudgetPage, { id }) => withRow(page, overlaidData<BudgetDetail>(budgetKeys.detail(id))?.item),
      settle: (page: BudgetPage, { item }) => withRow(page, item),
    },
  ],
  scope: 'budget-links',
  tags: () => ['budgetLinks'],
  send: ({ id, projectId, decision }, call) =>
    call(`budgets/${id}/links/${encodeURIComponent(projectId)}`, {
      method: 'post',
      json: { decision },
      schema: budgetDetailSchema,
    }),
})

/**
 * Says whether a project came of an item; null takes it back. Shown at once, sent after the decisions before it, and taken back alone when
 * it fails: then the promise rejects.
 */
export async function decideLink(id: number, projectId: string, decision: LinkDecision): Promise<void> {
  await mutate(linkMutation, { id, projectId, decision })
}

function withRow(page: BudgetPage, item: BudgetItem | undefined): BudgetPage {
  return item ? { ...page, results: page.results.map((row) => (row.id === item.id ? item : row)) } : page
}
