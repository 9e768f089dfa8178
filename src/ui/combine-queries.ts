import type { QueryState } from './query-view.tsx'

type Combined<Queries> = { [Name in keyof Queries]: Queries[Name] extends QueryState<infer Data> ? Data : never }

/** Combines queries that a screen needs together. A retry refetches those that failed. */
export function combineQueries<Queries extends Readonly<Record<string, QueryState<unknown>>>>(
  queries: Queries,
): QueryState<Combined<Queries>> {
  const states = Object.values(queries)
  const entries = Object.entries(queries).map(([name, { data }]) => [name, data])
  const areAllLoaded = states.every(({ data }) => data !== undefined)
  return {
    data: areAllLoaded ? (Object.fromEntries(entries) as Combined<Queries>) : undefined,
    // A failed refetch matters only once all queries have data; until then the others are still loading.
    error: states.find(({ data, error }) => error && (areAllLoaded || data === undefined))?.error ?? null,
    isFetching: states.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(states.filter(({ error }) => error).map((state) => state.refetch())),
  }
}
