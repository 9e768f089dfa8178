import type { KeywordStats, Ledger, LedgerRow } from '#contract/keyword/keyword-impact.ts'
import { request } from '../http/client.ts'
import { impactKeys, projectKeys, reportKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'

/** Calls are sent one after the other: taking back must not overtake what it takes back. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Lets projects into the report although an exclusion word keeps them out (`rescued`), or takes that back. Shown at once; taken
 * back and rejected when the server refuses.
 */
export async function rescueProjects(projectIds: readonly string[], rescued: boolean): Promise<void> {
  const ids = new Set(projectIds)
  // A question that was asked before this would bring the older state.
  await queryClient.cancelQueries({ queryKey: impactKeys.ledgers })
  show(ids, rescued)
  const sent = last.then(() =>
    request(`organisations/me/hidden/${rescued ? 'rescue' : 'unrescue'}`, {
      method: 'post',
      json: { project_ids: [...ids] },
    }),
  )
  last = sent.catch(() => undefined)
  try {
    await sent
  } catch (error) {
    show(ids, !rescued)
    throw error
  }
  // The ledger on screen keeps its rows, so that none moves away under the hand and each can be taken back where it stands.
  void queryClient.invalidateQueries({ queryKey: impactKeys.ledgers, refetchType: 'none' })
  void queryClient.invalidateQueries({ queryKey: impactKeys.stats })
  void queryClient.invalidateQueries({ queryKey: [...impactKeys.all, 'why'] })
  void queryClient.invalidateQueries({ queryKey: reportKeys.all })
  void queryClient.invalidateQueries({ queryKey: projectKeys.all })
}

function show(ids: ReadonlySet<string>, rescued: boolean): void {
  let changed = 0
  queryClient.setQueriesData<Ledger>({ queryKey: impactKeys.ledgers }, (ledger) => {
    if (!ledger) return ledger
    const next = withRescued(ledger, ids, rescued)
    changed = Math.max(changed, Math.abs(next.rescued - ledger.rescued))
    return next
  })
  queryClient.setQueryData<KeywordStats>(
    impactKeys.stats,
    (stats) => stats && { ...stats, hidden: Math.max(0, stats.hidden + (rescued ? -changed : changed)) },
  )
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
