import type { ExcludedProjectRow, ExcludedProjectsResponse, KeywordStats } from '#contract/matching/keyword-impact.ts'
import { keywordImpactKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange, getOptimisticQueryData, runOptimisticChange } from '#src/api/optimistic-changes.ts'

type Rescue = {
  readonly ids: ReadonlySet<string>
  readonly rescued: boolean
  readonly turned: number
}

const rescueMutation = defineOptimisticChange<Rescue, void>({
  name: 'rescue',
  layers: [
    {
      key: keywordImpactKeys.ledgers,
      apply: (ledger: ExcludedProjectsResponse, { ids, rescued }) =>
        markProjectsExemptFromExclusion(ledger, ids, rescued),
    },
    {
      key: keywordImpactKeys.stats,
      apply: (stats: KeywordStats, { rescued, turned }) => ({
        ...stats,
        hidden: Math.max(0, stats.hidden + (rescued ? -turned : turned)),
      }),
    },
  ],
  scope: 'rescue',
  tags: () => ['exclusions'],
  send: ({ ids, rescued }, call) =>
    call(`organisations/me/hidden/${rescued ? 'rescue' : 'unrescue'}`, {
      method: 'post',
      json: { project_ids: [...ids] },
    }),
})

/** Adds projects despite an exclusion word (`rescued`), or reverts that. A refusal rolls back and rejects. */
export function setProjectsExemptFromExclusion(projectIds: readonly string[], rescued: boolean): Promise<void> {
  const ids = new Set(projectIds)
  const ledgers = queryClient.getQueryCache().findAll({ queryKey: keywordImpactKeys.ledgers })
  const turned = ledgers.map(({ queryKey }) => {
    const rows = getOptimisticQueryData<ExcludedProjectsResponse>(queryKey)?.results ?? []
    return rows.filter((row) => ids.has(row.project_id) && row.rescued !== rescued).length
  })
  return runOptimisticChange(rescueMutation, { ids, rescued, turned: Math.max(0, ...turned) })
}

function markProjectsExemptFromExclusion(
  ledger: ExcludedProjectsResponse,
  ids: ReadonlySet<string>,
  rescued: boolean,
): ExcludedProjectsResponse {
  const turned = ledger.results.filter((row) => ids.has(row.project_id) && row.rescued !== rescued)
  if (turned.length === 0) return ledger
  const step = rescued ? -1 : 1
  const ofWord = (row: Pick<ExcludedProjectRow, 'list' | 'word'>) =>
    turned.filter(({ list, word }) => list === row.list && word === row.word).length
  return {
    ...ledger,
    rescued: Math.max(0, ledger.rescued - step * turned.length),
    words: ledger.words.map((row) => ({ ...row, count: Math.max(0, row.count + step * ofWord(row)) })),
    results: ledger.results.map((row) => (ids.has(row.project_id) ? { ...row, rescued } : row)),
  }
}
