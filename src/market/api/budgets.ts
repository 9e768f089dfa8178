import { keepPreviousData } from '@tanstack/react-query'
import {
  type BudgetDetail,
  type BudgetItem,
  type BudgetItemState,
  type BudgetLink,
  type BudgetLinkDecision,
  type BudgetPageResponse,
  budgetDetailSchema,
  budgetPageSchema,
  budgetSummarySchema,
  budgetYearsSchema,
  MIN_CERTAIN_BUDGET_LINK_CONFIDENCE,
} from '#contract/market/budget.ts'
import { type BudgetSearch, formatBudgetSearch } from '#contract/market/budget-params.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { budgetKeys } from '#src/api/http/keys.ts'
import {
  type ChangeResultMessages,
  defineOptimisticChange,
  getOptimisticQueryData,
  runOptimisticChange,
} from '#src/api/optimistic-changes.ts'

/** Most advanced first. An item has the state of its most advanced project, so it is cancelled only when all are. */
const STATES_BY_PROGRESS = ['awarded', 'invited', 'draft', 'cancelled'] as const satisfies readonly BudgetItemState[]

export function isBudgetLinkCountedInTotals({
  decision,
  confidence,
}: Pick<BudgetLink, 'decision' | 'confidence'>): boolean {
  return decision === 'confirmed' || (decision === null && confidence >= MIN_CERTAIN_BUDGET_LINK_CONFIDENCE)
}

export function withBudgetLinkDecision(
  detail: BudgetDetail,
  projectId: string,
  decision: BudgetLinkDecision,
): BudgetDetail {
  const links = detail.links.map((link) =>
    link.project_id === projectId ? { ...link, decision, decided_by: null } : link,
  )
  const counting = links.filter(isBudgetLinkCountedInTotals)
  return {
    ...detail,
    links,
    item: {
      ...detail.item,
      state: STATES_BY_PROGRESS.find((state) => counting.some((link) => link.state === state)) ?? 'none',
      links: counting.length,
      guesses: links.filter((link) => link.decision === null && link.confidence < MIN_CERTAIN_BUDGET_LINK_CONFIDENCE)
        .length,
    },
  }
}

/** Short, because the nightly load and users' decisions change the states of items. */
const STALE_TIME_MS = 30_000
const YEARS_STALE_TIME_MS = 5 * 60_000

export const budgetYearsQuery = apiQueryOptions('budgets/years', {
  queryKey: [...budgetKeys.all, 'years'],
  schema: budgetYearsSchema,
  staleTime: YEARS_STALE_TIME_MS,
})

export const budgetPageQuery = ({ item: _item, ...search }: BudgetSearch) => {
  const query = formatBudgetSearch(search)
  return apiQueryOptions('budgets', {
    queryKey: [...budgetKeys.all, 'page', query],
    query,
    schema: budgetPageSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
  })
}

export const budgetSummaryQuery = (search: BudgetSearch) => {
  const { item: _item, page: _page, page_size: _size, ordering: _ordering, ...filters } = search
  const query = formatBudgetSearch(filters)
  return apiQueryOptions('budgets/summary', {
    queryKey: [...budgetKeys.all, 'summary', query],
    query,
    schema: budgetSummarySchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
  })
}

export const budgetDetailQuery = (id: number) =>
  apiQueryOptions('budgets/:id', {
    queryKey: [...budgetKeys.all, 'detail', id],
    params: { id },
    schema: budgetDetailSchema,
    staleTime: STALE_TIME_MS,
  })

type Decision = { readonly id: number; readonly projectId: string; readonly decision: BudgetLinkDecision }

const linkMutation = defineOptimisticChange<Decision, BudgetDetail>({
  name: 'budget-links',
  layers: [
    {
      key: ({ id }) => budgetDetailQuery(id).queryKey,
      apply: (detail: BudgetDetail, { projectId, decision }) => withBudgetLinkDecision(detail, projectId, decision),
      settle: (_detail: BudgetDetail, answer) => answer,
      undo: ({ links }: BudgetDetail, change) => ({
        ...change,
        decision: links.find(({ project_id }) => project_id === change.projectId)?.decision ?? null,
      }),
    },
    {
      key: [...budgetKeys.all, 'page'],
      apply: (page: BudgetPageResponse, { id }) =>
        withItem(page, getOptimisticQueryData<BudgetDetail>(budgetDetailQuery(id).queryKey)?.item),
      settle: (page: BudgetPageResponse, { item }) => withItem(page, item),
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

/** Stores whether a project belongs to an item; null clears the decision. */
export async function decideBudgetLink(decision: Decision, message: ChangeResultMessages): Promise<void> {
  await runOptimisticChange(linkMutation, decision, { message }).catch(() => undefined)
}

function withItem(page: BudgetPageResponse, item: BudgetItem | undefined): BudgetPageResponse {
  return item ? { ...page, results: page.results.map((row) => (row.id === item.id ? item : row)) } : page
}
