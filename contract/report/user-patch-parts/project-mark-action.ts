import { getActionTargetProjectIds, haveCommonProject } from '../project-targets.ts'
import type { BookmarkAction, HideAction } from '../user-patch.ts'

type ProjectMarkAction = BookmarkAction | HideAction

export function applyProjectMarkAction(ids: readonly string[], action: ProjectMarkAction): string[] {
  const targets = getActionTargetProjectIds(action)
  const targetSet = new Set(targets)
  return action.action === 'add' ? [...new Set([...ids, ...targets])] : ids.filter((id) => !targetSet.has(id))
}

/** Returns the action for only those projects whose mark `action` changes: a star that already existed stays. */
export function invertProjectMarkAction(
  ids: readonly string[],
  action: ProjectMarkAction,
): ProjectMarkAction | undefined {
  const markedIds = new Set(ids)
  const adds = action.action === 'add'
  const changed = getActionTargetProjectIds(action).filter((id) => markedIds.has(id) !== adds)
  return changed.length === 0 ? undefined : { action: adds ? 'remove' : 'add', project_ids: changed }
}

export const projectMarkActionsOverlap = (
  a: ProjectMarkAction | undefined,
  b: ProjectMarkAction | undefined,
): boolean =>
  a !== undefined && b !== undefined && haveCommonProject(getActionTargetProjectIds(a), getActionTargetProjectIds(b))
