import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { isDemo } from '#src/api/demo.ts'
import { keywordStatsQuery } from '#src/api/keyword-impact.ts'
import { useOverlaid } from '#src/api/optimistic.ts'
import { useOrganisation } from '#src/api/organisations.ts'
import { useListsLocked } from '#src/features/keywords/list-lock.ts'
import { listStatus } from '#src/features/keywords/list-status.ts'
import type { WatchTools } from '#src/features/keywords/watch-tools.ts'

/** The lists, what their words did, and whether they can be changed now. */
export function useWatchTools() {
  const organisation = useOrganisation()
  const stats = useQuery(useOverlaid(keywordStatsQuery))
  // In the demo words are tried out at any hour: nothing of it is stored, and it never opens.
  const isLocked = useListsLocked(organisation.customer_config) && !isDemo()
  const keywords = stats.data?.keywords
  const figures = useMemo(() => keywords && new Map(keywords.map((one) => [one.id, one])), [keywords])
  const tools = useMemo<WatchTools>(() => ({ organisation, figures, isLocked }), [organisation, figures, isLocked])
  // What was said of a list belongs to this visit of the page.
  useEffect(() => () => listStatus.set(undefined), [])
  return { tools, stats }
}
