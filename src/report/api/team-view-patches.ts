import type { User } from '#contract/account/user.ts'
import type { TeamLabelsAndViews } from '#contract/report/team-labels-and-views.ts'
import { type TeamView, type TeamViews, teamViewsSchema } from '#contract/report/team-view.ts'
import type { TeamViewAction } from '#contract/report/team-view-action.ts'
import { pursuitKeys, userKeys } from '#src/api/http/keys.ts'
import { type ChangeResultMessages, defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

type TeamViewChange = {
  readonly action: TeamViewAction
  readonly view?: TeamView | undefined
}

function withStart(user: User, { action, view }: TeamViewChange): User {
  if (action.action === 'forget') return { ...user, start_team_view: null }
  if (action.action !== 'start' || !view) return user
  const { id, owner, owner_name, filterName: name, filterData } = view
  if (!action.is_start) return user.start_team_view?.id === id ? { ...user, start_team_view: null } : user
  return {
    ...user,
    start_team_view: { id, owner, owner_name, name, filterData },
    project_save_filter_profile: user.project_save_filter_profile.map((filter) => ({ ...filter, isStart: false })),
  }
}

function withView(marks: TeamLabelsAndViews, { action, view }: TeamViewChange): TeamLabelsAndViews {
  const isTarget = (candidate: TeamView) => candidate.id === view?.id && candidate.owner === view.owner
  if (action.action === 'rename')
    return {
      ...marks,
      views: marks.views.map((teamView) =>
        isTarget(teamView) ? { ...teamView, filterName: action.filterName } : teamView,
      ),
    }
  const isRemoved = action.action === 'unshare' || action.action === 'remove'
  return isRemoved ? { ...marks, views: marks.views.filter((teamView) => !isTarget(teamView)) } : marks
}

const teamViewMutation = defineOptimisticChange<TeamViewChange, TeamViews>({
  name: 'team-views',
  layers: [
    {
      key: userKeys.me,
      apply: withStart,
      undo: ({ start_team_view: before }: User, { action, view }) =>
        action.action === 'start' && view && (before?.id === view.id) !== action.is_start
          ? { action: { ...action, is_start: !action.is_start }, view }
          : undefined,
    },
    {
      key: pursuitKeys.marks,
      apply: withView,
      settle: (marks: TeamLabelsAndViews, response) => ({ ...marks, ...response }),
    },
  ],
  scope: 'team-views',
  tags: () => ['teamViews'],
  send: ({ action }, call) => call('team-views', { method: 'patch', json: { action }, schema: teamViewsSchema }),
})

export async function patchTeamViews(change: TeamViewChange, message: ChangeResultMessages): Promise<void> {
  await runOptimisticChange(teamViewMutation, change, { message }).catch(() => undefined)
}
