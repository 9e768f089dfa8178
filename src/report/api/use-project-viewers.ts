import { useQuery } from '@tanstack/react-query'
import { type ColleagueProjectView, colleagueProjectViewsSchema } from '#contract/report/project-views.ts'
import { useUser } from '#src/account/api/users.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const colleagueProjectViewsQuery = (ids: string) =>
  apiQueryOptions('project-looks', {
    queryKey: [...pursuitKeys.all, 'looks', ids],
    query: { ids },
    schema: colleagueProjectViewsSchema,
    staleTime: 60_000,
  })

const NO_VIEWS: readonly ColleagueProjectView[] = []

/** Latest first; empty while loading and for users who do not share their visits. */
export function useProjectViewers(projectIds: readonly string[]): readonly ColleagueProjectView[] {
  const enabled = useUser().shares_looks === true && projectIds.length > 0
  const { data } = useQuery({ ...colleagueProjectViewsQuery(projectIds.join()), enabled }, queryClient)
  return enabled && data ? data.looks : NO_VIEWS
}

export function useReportRowViewers(rows: readonly { readonly project_id: string }[] = []) {
  const looks = useProjectViewers(rows.map(({ project_id }) => project_id))
  const byProject = Map.groupBy(looks, ({ project_id }) => project_id)
  return byProject.size === 0 ? undefined : (projectId: string) => byProject.get(projectId) ?? []
}
