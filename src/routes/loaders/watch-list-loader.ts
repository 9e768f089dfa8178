import { excludedProjectsQuery, keywordStatsQuery, matchExplanationQuery } from '#src/matching/api/keyword-impact.ts'
import { keywordTrainingQuery } from '#src/matching/api/lessons.ts'
import { getExcludedProjectsUrlState, type WatchSearch } from '#src/matching/pages/watch/watch-search.ts'
import type { LoaderContext } from '../lazy-loader.ts'

export const watchListPageLoader = ({ deps }: LoaderContext<WatchSearch>) => {
  const { tab = 'rules', project, lesson } = deps
  return [
    keywordStatsQuery,
    ...(tab === 'rules' && lesson !== undefined ? [keywordTrainingQuery(lesson)] : []),
    ...(tab === 'hidden' ? [excludedProjectsQuery(getExcludedProjectsUrlState(deps))] : []),
    ...(tab === 'why' && project !== undefined ? [matchExplanationQuery(project)] : []),
  ]
}
