import { applyProjectMarkAction, invertProjectMarkAction, projectMarkActionsOverlap } from './project-mark-action.ts'
import type { UserPatchPart } from './user-patch-part.ts'

export const hiddenProjectPatch: UserPatchPart = {
  name: 'hidden',
  fields: ['hide_action'],
  apply: (user, { hide_action: action }) =>
    action ? { ...user, project_hidden: applyProjectMarkAction(user.project_hidden, action) } : user,
  invert: (before, { hide_action: action }) => {
    const undo = action && invertProjectMarkAction(before.project_hidden, action)
    return undo && { hide_action: undo }
  },
  conflicts: (a, b) => projectMarkActionsOverlap(a.hide_action, b.hide_action),
}
