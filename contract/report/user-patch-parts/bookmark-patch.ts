import { applyProjectMarkAction, invertProjectMarkAction, projectMarkActionsOverlap } from './project-mark-action.ts'
import type { UserPatchPart } from './user-patch-part.ts'

/** Stars. `project_bookmark` without an action replaces all of them. */
export const bookmarkPatch: UserPatchPart = {
  name: 'stars',
  fields: ['bookmark_action', 'project_bookmark'],
  apply: (user, { bookmark_action: action, project_bookmark: list }) => {
    if (action) return { ...user, project_bookmark: applyProjectMarkAction(user.project_bookmark, action) }
    return list ? { ...user, project_bookmark: [...new Set(list)] } : user
  },
  invert: (before, { bookmark_action: action, project_bookmark: list }) => {
    if (!action) return list && { project_bookmark: before.project_bookmark }
    const undo = invertProjectMarkAction(before.project_bookmark, action)
    return undo && { bookmark_action: undo }
  },
  conflicts: (a, b) => {
    if (!a.bookmark_action || !b.bookmark_action)
      return [a, b].every((patch) => (patch.bookmark_action ?? patch.project_bookmark) !== undefined)
    return projectMarkActionsOverlap(a.bookmark_action, b.bookmark_action)
  },
}
