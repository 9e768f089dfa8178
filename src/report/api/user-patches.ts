import type { User } from '#contract/account/user.ts'
import { applyUserPatch } from '#contract/report/apply-user-patch.ts'
import { targetsOf } from '#contract/report/bookmark.ts'
import { undoOfUserPatch } from '#contract/report/undo-user-patch.ts'
import type { LabelAction, UserPatch } from '#contract/report/user-patch.ts'
import { tagsOfPatch } from '#src/api/cache-tags.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { type ChangeMessage, defineChange, mutate } from '#src/api/optimistic.ts'

type Assignment = { readonly projects: ReadonlySet<string>; readonly label: string | undefined }

/**
 * True if `later` must wait for the response to `earlier` because the reverse order would give another result. Changes
 * of different rows run in parallel, so one slow response does not block the rest.
 */
export function mustWaitFor(later: UserPatch, earlier: UserPatch): boolean {
  return (
    overlap(starsOf(later), starsOf(earlier)) ||
    overlap(hidesOf(later), hidesOf(earlier)) ||
    labelsCollide(later, earlier) ||
    SINGLE.some((field) => later[field] !== undefined && earlier[field] !== undefined)
  )
}

/**
 * Fields whose changes are sent sequentially: settings have one value, saved filters depend on each other's names and
 * count, and one change may mark all notifications as read.
 */
const SINGLE = [
  'filter_action',
  'notification_updated_status',
  'customize_report_table',
  'is_send_report_email',
  'is_noti_e_bidding',
  'shares_looks',
  'first_name',
  'last_name',
] as const satisfies readonly (keyof UserPatch)[]

/** Ids that a patch marks; `all` when it replaces the list. */
type Targets = ReadonlySet<string> | 'all' | undefined

function starsOf({ bookmark_action: action, project_bookmark: list }: UserPatch): Targets {
  if (action) return new Set(targetsOf(action))
  return list && 'all'
}

function hidesOf({ hide_action: action }: UserPatch): Targets {
  return action && new Set(targetsOf(action))
}

function overlap(one: Targets, other: Targets): boolean {
  if (!one || !other) return false
  if (one === 'all' || other === 'all') return true
  return share(one, other)
}

function share(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const id of one) if (other.has(id)) return true
  return false
}

function labelsCollide(one: UserPatch, other: UserPatch): boolean {
  if (!touchesLabels(one) || !touchesLabels(other)) return false
  const [ours, theirs] = [assignmentOf(one), assignmentOf(other)]
  // Creating, renaming and deleting labels depend on each other through unique names and the label limit.
  if (!ours && !theirs) return true
  if (ours && theirs) {
    const sameLabel = ours.label === undefined || theirs.label === undefined || ours.label === theirs.label
    return sameLabel && share(ours.projects, theirs.projects)
  }
  const definition = (ours ? other : one).label_action!
  const { label } = ours ?? theirs!
  // Assigning must follow creation and precede deletion; renames and recolours do not matter.
  if (definition.action === 'rename_label' || definition.action === 'recolor_label') return false
  return label === undefined || label === labelIdOf(definition)
}

const touchesLabels = (patch: UserPatch) =>
  patch.label_action !== undefined || patch.project_label_assignments !== undefined

const labelIdOf = (action: LabelAction) => (action.action === 'remove_assignment' ? undefined : action.label_id)

/** Undefined for a patch of the labels themselves. */
function assignmentOf({ label_action: action, project_label_assignments: list }: UserPatch): Assignment | undefined {
  if (!action) return { projects: new Set(Object.keys(list ?? {})), label: undefined }
  switch (action.action) {
    case 'assign_label':
    case 'unassign_label':
    case 'remove_assignment':
      return { projects: new Set(targetsOf(action)), label: labelIdOf(action) }
    default:
      return undefined
  }
}

/** Marks wait for the server (`waits`); settings report success or failure in their form. */
const isMark = ({ bookmark_action, hide_action, label_action, notification_updated_status }: UserPatch) =>
  (bookmark_action ?? hide_action ?? label_action ?? notification_updated_status) !== undefined

/** Mutation for a change of the signed-in user. The response is empty because the contract defines a patch's effect. */
export const userPatchMutation = (message: ChangeMessage, waits = false) =>
  defineChange<UserPatch, void>({
    name: 'user',
    layers: [
      {
        key: userKeys.me,
        apply: (user: User, patch) => applyUserPatch(user, patch),
        undo: (before: User, patch) => undoOfUserPatch(before, patch),
      },
    ],
    mustWaitFor,
    tags: tagsOfPatch,
    isResumed: true,
    waits,
    message,
    send: (patch, call) => call('users/me', { method: 'patch', json: patch, prefer: 'return=minimal' }),
  })

/**
 * Sends a change of the signed-in user. Resolves to whether the server confirmed it; never rejects. Call it through
 * `patchUser`, which lazy-loads this module.
 */
export function sendUserPatch(patch: UserPatch, message: ChangeMessage): Promise<boolean> {
  return mutate(userPatchMutation(message, isMark(patch)), patch).then(
    () => true,
    () => false,
  )
}
