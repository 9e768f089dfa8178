import type { QueryState } from './query-view.tsx'

type Combined<Queries> = { [Name in keyof Queries]: Queries[Name] extends QueryState<infer Data> ? Data : never }

/** Combines queries that a screen needs together. A retry refetches those that failed. */
export function combineQueries<Queries extends Readonly<Record<string, QueryState<unknown>>>>(
  queries: Queries,
): QueryState<Combined<Queries>> {
  const states = Object.values(queries)
  const entries = Object.entries(queries).map(([name, { data }]) => [name, data])
  return {
    data: states.every(({ data }) => data !== undefined)
      ? (Object.fromEntries(entries) as Combined<Queries>)
      : undefined,
    error: states.find(({ error }) => error)?.error ?? null,
    isFetching: states.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(states.filter(({ error }) => error).map((state) => state.refetch())),
  }
}
