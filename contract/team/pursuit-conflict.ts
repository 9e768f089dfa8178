import { applyPursuitActions, type PursuitActionContext, type PursuitState } from './apply-pursuit-action.ts'
import type { Pursuit } from './pursuit.ts'
import type { PursuitAction } from './pursuit-action.ts'
import type { PursuitSnapshot } from './pursuit-snapshot.ts'

/**
 * Guards against lost updates: a patch may carry the values its author saw in the overwritten fields. If a colleague
 * has changed one since, the server responds 409 with the current state, and the author decides. Integrations omit
 * these values, so their patches apply unconditionally.
 */

const FIELDS = ['stage', 'owner', 'decision', 'reason', 'lost_reason', 'price'] as const
type Field = (typeof FIELDS)[number]

export function getPursuitSnapshot(
  pursuit: (Partial<Pick<Pursuit, Field>> & { readonly checklist?: Pursuit['checklist'] }) | null,
  actions: readonly PursuitAction[],
): PursuitSnapshot {
  if (pursuit === null) return null
  const edited = new Set(actions.flatMap((action) => (action.action === 'edit_item' ? action.id : [])))
  const items = (pursuit.checklist ?? []).filter(({ id }) => edited.has(id)).map(({ id, text }) => [id, text] as const)
  const fieldEntries = FIELDS.flatMap((field) =>
    pursuit[field] === undefined ? [] : [[field, pursuit[field]] as const],
  )
  return { ...Object.fromEntries(fieldEntries), ...(items.length > 0 && { items: Object.fromEntries(items) }) }
}

export function isPursuitPatchConflict(
  state: PursuitState,
  { seen, actions }: { readonly seen: PursuitSnapshot; readonly actions: readonly PursuitAction[] },
  context: PursuitActionContext,
): boolean {
  const before = state.pursuit
  const after = applyPursuitActions(state, actions, context).pursuit
  const isOverwritten = FIELDS.some((field) => {
    const seenValue = seen === null ? null : seen[field]
    const current = before?.[field] ?? null
    return seenValue !== undefined && current !== seenValue && (after?.[field] ?? null) !== current
  })
  if (isOverwritten) return true
  return actions.some((action) => {
    if (action.action !== 'edit_item') return false
    const currentText = before?.checklist.find(({ id }) => id === action.id)?.text
    const seenText = seen?.items?.[action.id]
    return (
      currentText !== undefined && seenText !== undefined && currentText !== seenText && currentText !== action.text
    )
  })
}
