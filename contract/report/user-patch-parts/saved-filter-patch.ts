import type { FilterCriteria } from '../../account/filter-criteria.ts'
import type { User } from '../../account/user.ts'
import type { SavedFilterAction, UserPatch } from '../user-patch.ts'
import type { UserPatchPart } from './user-patch-part.ts'

export const savedFilterPatch: UserPatchPart = {
  name: 'filters',
  fields: ['filter_action'],
  apply: (user, patch) =>
    patch.filter_action ? applyAction(user, patch.filter_action, getFilterCriteriaAddedByPatch(patch)) : user,
  invert: (before, { filter_action: action }) => {
    const undo = action && invertAction(before, action)
    return undo && { filter_action: undo }
  },
  // Saved filters depend on each other through unique names and their limit.
  conflicts: (a, b) => a.filter_action !== undefined && b.filter_action !== undefined,
}

export function getFilterCriteriaAddedByPatch({ filter_action: action, project_save_filter_profile: list }: UserPatch) {
  if (action?.action !== 'add') return undefined
  return action.filterData ?? list?.find(({ id }) => id === action.filter_id)?.filterData
}

function applyAction(user: User, action: SavedFilterAction, filterData: FilterCriteria | undefined): User {
  const filters = user.project_save_filter_profile
  const { filter_id: id } = action
  const withFilters = (project_save_filter_profile: User['project_save_filter_profile']): User => ({
    ...user,
    project_save_filter_profile,
  })
  const withChange = (change: (filter: (typeof filters)[number]) => Partial<(typeof filters)[number]>) =>
    withFilters(filters.map((filter) => (filter.id === id ? { ...filter, ...change(filter) } : filter)))
  switch (action.action) {
    case 'add': {
      const { filterName, is_send: isSend = false, is_start: wantsStart = false, is_shared: isShared } = action
      if (!filterData || filters.some((filter) => filter.id === id)) return user
      const isStart = wantsStart && !filters.some((filter) => filter.isStart)
      return withFilters([...filters, { id, filterName, isSend, isStart, ...(isShared && { isShared }), filterData }])
    }
    case 'remove':
      return withFilters(filters.filter((filter) => filter.id !== id))
    case 'email_toggle':
      return withChange((filter) => ({ isSend: action.is_send ?? !filter.isSend }))
    case 'start':
      if (!filters.some((filter) => filter.id === id)) return user
      return {
        ...withFilters(
          filters.map((filter) => ({
            ...filter,
            isStart: filter.id === id ? action.is_start : filter.isStart && !action.is_start,
          })),
        ),
        ...(action.is_start && user.start_team_view && { start_team_view: null }),
      }
    case 'share':
      return withChange(() => ({ isShared: action.is_shared }))
    case 'rename':
      return withChange(() => ({ filterName: action.filterName }))
    case 'update':
      return withChange(() => ({ filterData: action.filterData }))
  }
}

function invertAction(before: User, action: SavedFilterAction): SavedFilterAction | undefined {
  const { filter_id } = action
  const filter = before.project_save_filter_profile.find(({ id }) => id === filter_id)
  if (action.action === 'add') return filter ? undefined : { action: 'remove', filter_id }
  if (!filter) return undefined
  const { filterName, filterData, isSend: is_send, isStart: is_start, isShared: is_shared = false } = filter
  switch (action.action) {
    case 'remove':
      return {
        action: 'add',
        filter_id,
        filterName,
        filterData,
        is_send,
        ...(is_start && { is_start }),
        ...(is_shared && { is_shared }),
      }
    case 'email_toggle':
      return { action: 'email_toggle', filter_id, is_send }
    case 'start': {
      if (is_start === action.is_start) return undefined
      const startView = before.project_save_filter_profile.find(({ isStart }) => isStart)
      return startView && action.is_start
        ? { action: 'start', filter_id: startView.id, is_start: true }
        : { action: 'start', filter_id, is_start }
    }
    case 'share':
      return is_shared === action.is_shared ? undefined : { action: 'share', filter_id, is_shared }
    case 'rename':
      return { action: 'rename', filter_id, filterName }
    case 'update':
      return { action: 'update', filter_id, filterData }
  }
}
