import { findPursuitStage } from '../account/pursuit-settings.ts'
import { applyPursuitAction, type PursuitActionContext, type PursuitState } from './apply-pursuit-action.ts'
import type { PursuitAction } from './pursuit-action.ts'

/**
 * Returns the actions that revert a patch, or undefined when it changed nothing. Reverts only what the patch changed: a
 * colleague's changes in between stay.
 */
export function buildPursuitUndoActions(
  before: PursuitState,
  actions: readonly PursuitAction[],
  context: PursuitActionContext,
): PursuitAction[] | undefined {
  const undo: PursuitAction[][] = []
  let state = before
  for (const action of actions) {
    const next = applyPursuitAction(state, action, context)
    if (next !== state) undo.unshift(undoOf(state, next, action, context))
    state = next
  }
  const undoActions = undo.flat()
  return undoActions.length === 0 ? undefined : undoActions
}

function undoOf(
  before: PursuitState,
  after: PursuitState,
  action: PursuitAction,
  context: PursuitActionContext,
): PursuitAction[] {
  const note = 'id' in action ? before.notes.find(({ id }) => id === action.id) : undefined
  if (action.action === 'add_note') return [{ action: 'delete_note', id: action.id }]
  if (action.action === 'pin_note') return [{ ...action, pinned: !action.pinned }]
  if (note && (action.action === 'edit_note' || action.action === 'delete_note'))
    return note.deleted_at === null
      ? [
          {
            action: 'edit_note',
            id: note.id,
            text: note.text,
            mentions: note.mentions,
            files: note.files.map(({ id }) => id),
          },
          // Deleting a note unpins it, and restoring its text does not pin it again.
          ...(note.is_pinned ? [{ action: 'pin_note', id: note.id, pinned: true } as const] : []),
        ]
      : [{ action: 'delete_note', id: note.id }]
  if (before.pursuit === null) return [{ action: 'remove' }]
  // Actions cannot restore a pursuit that was removed as a whole, so such a patch has no undo.
  if (after.pursuit === null) return []
  return [...undoOfFields(before.pursuit, after.pursuit, context), ...undoOfItem(before.pursuit, action)]
}

type Pursuit = NonNullable<PursuitState['pursuit']>

/** Restores the decision first, because that may move the pursuit; the stage must be applied last. */
function undoOfFields(before: Pursuit, after: Pursuit, { rules }: PursuitActionContext): PursuitAction[] {
  const undo: PursuitAction[] = []
  const { decision, reason, stage, owner, price } = before
  if (decision !== after.decision || reason !== after.reason) undo.push({ action: 'decide', decision, reason })
  if (stage !== after.stage || before.lost_reason !== after.lost_reason)
    undo.push({ action: 'set_stage', stage, ...reasonOf(before, findPursuitStage(rules.stages, stage)?.kind) })
  if (owner !== after.owner) undo.push({ action: 'set_owner', owner })
  if (price !== after.price) undo.push({ action: 'set_price', price })
  return undo
}

function reasonOf({ reason, lost_reason }: Pursuit, kind: string | undefined): { readonly reason?: string | null } {
  if (kind === 'declined') return { reason }
  return kind === 'lost' ? { reason: lost_reason } : {}
}

function undoOfItem({ checklist }: Pursuit, action: PursuitAction): PursuitAction[] {
  if (action.action === 'add_item') return [{ action: 'remove_item', id: action.id }]
  const item = 'id' in action ? checklist.find(({ id }) => id === action.id) : undefined
  if (!item) return []
  const { id, text, assignee, done_at } = item
  switch (action.action) {
    case 'edit_item':
      return [{ action: 'edit_item', id, text }]
    case 'check_item':
      return [{ action: 'check_item', id, done: !action.done }]
    case 'assign_item':
      return [{ action: 'assign_item', id, assignee }]
    case 'remove_item':
      return [
        { action: 'add_item', id, text },
        ...(assignee === null ? [] : [{ action: 'assign_item', id, assignee } as const]),
        ...(done_at === null ? [] : [{ action: 'check_item', id, done: true } as const]),
      ]
    default:
      return []
  }
}
