import type { User } from '#contract/account/user.ts'
import { applyUserPatch } from '#contract/report/apply-user-patch.ts'
import { invertUserPatch } from '#contract/report/invert-user-patch.ts'
import { getActionTargetProjectIds } from '#contract/report/project-targets.ts'
import type { LabelAction, UserPatch } from '#contract/report/user-patch.ts'
import { getUserPatchCacheTags } from '#src/api/cache-tags.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { type ChangeResultMessages, defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

type Assignment = { readonly projects: ReadonlySet<string>; readonly label: string | undefined }

/**
 * True if `later` must wait for the response to `earlier` because the reverse order would give another result. Changes
 * of different rows run in parallel, so one slow response does not block the rest.
 */
export function shouldUserPatchWaitFor(later: UserPatch, earlier: UserPatch): boolean {
  return (
    targetsOverlap(starTargets(later), starTargets(earlier)) ||
    targetsOverlap(hideTargets(later), hideTargets(earlier)) ||
    labelsConflict(later, earlier) ||
    SEQUENTIAL_FIELDS.some((field) => later[field] !== undefined && earlier[field] !== undefined)
  )
}

/**
 * Fields whose changes are sent one after another: settings have a single value, saved filters depend on each other's
 * names and count, and one change may mark all notifications as read.
 */
const SEQUENTIAL_FIELDS = [
  'filter_action',
  'notification_updated_status',
  'customize_report_table',
  'is_send_report_email',
  'is_noti_e_bidding',
  'shares_looks',
  'first_name',
  'last_name',
] as const satisfies readonly (keyof UserPatch)[]

/** Rows that a patch changes; `all` if it replaces the whole list. */
type Targets = ReadonlySet<string> | 'all' | undefined

function starTargets({ bookmark_action: action, project_bookmark: list }: UserPatch): Targets {
  if (action) return new Set(getActionTargetProjectIds(action))
  return list && 'all'
}

function hideTargets({ hide_action: action }: UserPatch): Targets {
  return action && new Set(getActionTargetProjectIds(action))
}

function targetsOverlap(a: Targets, b: Targets): boolean {
  if (!a || !b) return false
  if (a === 'all' || b === 'all') return true
  return intersects(a, b)
}

function intersects(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const id of a) if (b.has(id)) return true
  return false
}

function labelsConflict(a: UserPatch, b: UserPatch): boolean {
  if (!touchesLabels(a) || !touchesLabels(b)) return false
  const [assignmentA, assignmentB] = [assignmentOf(a), assignmentOf(b)]
  // Creating, renaming and deleting labels depend on each other through unique names and the label limit.
  if (!assignmentA && !assignmentB) return true
  if (assignmentA && assignmentB) {
    const sameLabel =
      assignmentA.label === undefined || assignmentB.label === undefined || assignmentA.label === assignmentB.label
    return sameLabel && intersects(assignmentA.projects, assignmentB.projects)
  }
  const definition = (assignmentA ? b : a).label_action!
  const { label } = assignmentA ?? assignmentB!
  // The creation of a label must precede its assignment, and its deletion follow it; renames and recolours need no
  // order.
  if (definition.action === 'rename_label' || definition.action === 'recolor_label') return false
  return label === undefined || label === labelIdOf(definition)
}

const touchesLabels = (patch: UserPatch) =>
  patch.label_action !== undefined || patch.project_label_assignments !== undefined

const labelIdOf = (action: LabelAction) => (action.action === 'remove_assignment' ? undefined : action.label_id)

function assignmentOf({ label_action: action, project_label_assignments: list }: UserPatch): Assignment | undefined {
  if (!action) return { projects: new Set(Object.keys(list ?? {})), label: undefined }
  switch (action.action) {
    case 'assign_label':
    case 'unassign_label':
    case 'remove_assignment':
      return { projects: new Set(getActionTargetProjectIds(action)), label: labelIdOf(action) }
    default:
      return undefined
  }
}

/**
 * True for stars, hiding, labels and read notifications, which wait for the server (`waitsForServer`); settings report
 * success or failure in their form.
 */
const isMark = ({ bookmark_action, hide_action, label_action, notification_updated_status }: UserPatch) =>
  (bookmark_action ?? hide_action ?? label_action ?? notification_updated_status) !== undefined

export const userPatchMutation = (message: ChangeResultMessages, waitsForServer = false) =>
  defineOptimisticChange<UserPatch, void>({
    name: 'user',
    layers: [
      {
        key: userKeys.me,
        apply: (user: User, patch) => applyUserPatch(user, patch),
        undo: (before: User, patch) => invertUserPatch(before, patch),
      },
    ],
    mustWaitFor: shouldUserPatchWaitFor,
    tags: getUserPatchCacheTags,
    isResumed: true,
    queuesOffline: waitsForServer,
    message,
    send: (patch, call) => call('users/me', { method: 'patch', json: patch, prefer: 'return=minimal' }),
  })

/**
 * Changes the signed-in user optimistically through an action; if the server refuses, rolls back only this change.
 * Resolves to whether the server confirmed it; never rejects.
 */
export function patchUser(patch: UserPatch, message: ChangeResultMessages): Promise<boolean> {
  return runOptimisticChange(userPatchMutation(message, isMark(patch)), patch).then(
    () => true,
    () => false,
  )
}
