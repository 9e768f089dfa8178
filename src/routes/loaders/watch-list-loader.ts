import { startQueryInBackground } from '#src/api/http/query-client.ts'
import { excludedProjectsQuery, keywordStatsQuery, matchExplanationQuery } from '#src/matching/api/keyword-impact.ts'
import { keywordTrainingQuery } from '#src/matching/api/lessons.ts'
import { getExcludedProjectsUrlState, type WatchSearch } from '#src/matching/pages/watch/watch-search.ts'
import type { LoaderContext } from './loader-context.ts'

export function watchListPageLoader({ context: { queryClient }, deps }: LoaderContext<WatchSearch>): void {
  const { tab = 'rules', project, lesson } = deps
  startQueryInBackground(queryClient, keywordStatsQuery)
  if (tab === 'rules' && lesson !== undefined) startQueryInBackground(queryClient, keywordTrainingQuery(lesson))
  if (tab === 'hidden') startQueryInBackground(queryClient, excludedProjectsQuery(getExcludedProjectsUrlState(deps)))
  if (tab === 'why' && project !== undefined) startQueryInBackground(queryClient, matchExplanationQuery(project))
}
