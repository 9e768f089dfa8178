import type { KeywordStats, Ledger, LedgerRow } from '#contract/matching/keyword-impact.ts'
import { impactKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineChange, mutate, overlaidData } from '#src/api/optimistic.ts'

type Rescue = {
  readonly ids: ReadonlySet<string>
  readonly rescued: boolean
  /** Projects that this turns, as far as the screen knows. */
  readonly turned: number
}

const rescueMutation = defineChange<Rescue, void>({
  name: 'rescue',
  layers: [
    {
      key: impactKeys.ledgers,
      apply: (ledger: Ledger, { ids, rescued }) => withRescued(ledger, ids, rescued),
    },
    {
      key: impactKeys.stats,
      apply: (stats: KeywordStats, { rescued, turned }) => ({
        ...stats,
        hidden: Math.max(0, stats.hidden + (rescued ? -turned : turned)),
      }),
    },
  ],
  // Taking back must not overtake what it takes back.
  scope: 'rescue',
  tags: () => ['exclusions'],
  send: ({ ids, rescued }, call) =>
    call(`organisations/me/hidden/${rescued ? 'rescue' : 'unrescue'}`, {
      method: 'post',
      json: { project_ids: [...ids] },
    }),
})

/**
 * Lets projects into the report although an exclusion word keeps them out (`rescued`), or takes that back. Shown at once; taken
 * back and rejected when the server refuses.
 */
export function rescueProjects(projectIds: readonly string[], rescued: boolean): Promise<void> {
  const ids = new Set(projectIds)
  const ledgers = queryClient.getQueryCache().findAll({ queryKey: impactKeys.ledgers })
  const turned = ledgers.map(({ queryKey }) => {
    const rows = overlaidData<Ledger>(queryKey)?.results ?? []
    return rows.filter((row) => ids.has(row.project_id) && row.rescued !== rescued).length
  })
  return mutate(rescueMutation, { ids, rescued, turned: Math.max(0, ...turned) })
}

/** The ledger as it is once these projects are rescued, or no longer: its rows stay where they stand, its counts follow. */
export function withRescued(ledger: Ledger, ids: ReadonlySet<string>, rescued: boolean): Ledger {
  const turned = ledger.results.filter((row) => ids.has(row.project_id) && row.rescued !== rescued)
  if (turned.length === 0) return ledger
  const step = rescued ? -1 : 1
  const ofWord = (row: Pick<LedgerRow, 'list' | 'word'>) =>
    turned.filter(({ list, word }) => list === row.list && word === row.word).length
  return {
    ...ledger,
    rescued: Math.max(0, ledger.rescued - step * turned.length),
    words: ledger.words.map((row) => ({ ...row, count: Math.max(0, row.count + step * ofWord(row)) })),
    results: ledger.results.map((row) => (ids.has(row.project_id) ? { ...row, rescued } : row)),
  }
}
