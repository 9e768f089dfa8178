import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type BudgetDetail,
  type BudgetItem,
  type BudgetPage,
  budgetDetailSchema,
  budgetPageSchema,
  budgetSummarySchema,
  budgetYearsSchema,
  type LinkDecision,
} from '#contract/budget/budget.ts'
import { type BudgetSearch, printBudgetSearch } from '#contract/budget/budget-params.ts'
import { request } from '../http/client.ts'
import { budgetKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'
import { withDecision } from './link-decision.ts'

/** The budget itself is loaded once a year; what became of its items changes with the nightly load and with decisions made here. */
const FRESH_MS = 30_000
const YEARS_FRESH_MS = 5 * 60_000
/** No answer in this time counts as none: the decision is taken back and can be made again. */
const TIMEOUT_MS = 30_000

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
/** Shown and not answered, in the order in which they were made. */
let pending: readonly Decision[] = []

/**
 * Says whether a project came of an item; null takes it back. Shown at once, sent after the decisions before it, and taken back alone when
 * it fails: then the promise rejects.
 */
export async function decideLink(id: number, projectId: string, decision: LinkDecision): Promise<void> {
  const key = budgetKeys.detail(id)
  const made: Decision = { id, projectId, decision }
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: ['budgets', 'decisions'],
    scope: { id: 'budget-decisions' },
    mutationFn: () =>
      request(`budgets/${id}/links/${encodeURIComponent(projectId)}`, {
        method: 'post',
        json: { decision },
        schema: budgetDetailSchema,
        timeoutMs: TIMEOUT_MS,
      }),
    onMutate: async () => {
      // An answer to a question that was asked before this would bring the state before it.
      await queryClient.cancelQueries({ queryKey: key })
      const now = queryClient.getQueryData<BudgetDetail>(key)
      pending = [...pending, made]
      if (now) show(withDecision(now, projectId, decision))
      return now?.links.find((link) => link.project_id === projectId)?.decision ?? null
    },
    onSuccess: (answer) => {
      pending = pending.filter((one) => one !== made)
      show(
        pending
          .filter((one) => one.id === id)
          .reduce((detail, one) => withDecision(detail, one.projectId, one.decision), answer),
      )
    },
    onError: (_error, _variables, before) => {
      pending = pending.filter((one) => one !== made)
      const now = queryClient.getQueryData<BudgetDetail>(key)
      if (now && before !== undefined) show(withDecision(now, projectId, before))
      // What was not answered may have been stored all the same.
      void queryClient.invalidateQueries({ queryKey: key })
    },
    onSettled: () => {
      // Figures count links, and the state filter may let other items in. Not waited for: the decision itself is through.
      if (pending.length === 0) void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isFigure(queryKey) })
    },
  })
  await mutation.execute(undefined)
}

const isFigure = ([noun, kind]: readonly unknown[]) => noun === 'budgets' && (kind === 'summary' || kind === 'page')

/** The detail, and the item's row wherever it stands in a page. */
function show(detail: BudgetDetail): void {
  queryClient.setQueryData<BudgetDetail>(budgetKeys.detail(detail.item.id), detail)
  const put = (row: BudgetItem) => (row.id === detail.item.id ? detail.item : row)
  queryClient.setQueriesData<BudgetPage>(
    { queryKey: [...budgetKeys.all, 'page'] },
    (page) => page && { ...page, results: page.results.map(put) },
  )
}
