import { type ActionContext, applyPursuitActions, type PursuitState } from './apply-pursuit-action.ts'
import type { Pursuit } from './pursuit.ts'
import type { PursuitAction } from './pursuit-action.ts'
import type { SeenPursuit } from './seen-pursuit.ts'

/**
 * Guards against lost updates: a patch can contain the values its author saw in the overwritten fields. If a colleague
 * has changed one since, the server responds 409 with the current state, and the author decides. Patches of
 * integrations omit these values and are applied unconditionally.
 */

const FIELDS = ['stage', 'owner', 'decision', 'reason', 'lost_reason', 'price'] as const
type Field = (typeof FIELDS)[number]

export function seenOf(
  pursuit: (Partial<Pick<Pursuit, Field>> & { readonly checklist?: Pursuit['checklist'] }) | null,
  actions: readonly PursuitAction[],
): SeenPursuit {
  if (pursuit === null) return null
  const edited = new Set(actions.flatMap((action) => (action.action === 'edit_item' ? action.id : [])))
  const items = (pursuit.checklist ?? []).filter(({ id }) => edited.has(id)).map(({ id, text }) => [id, text] as const)
  const shown = FIELDS.flatMap((field) => (pursuit[field] === undefined ? [] : [[field, pursuit[field]] as const]))
  return { ...Object.fromEntries(shown), ...(items.length > 0 && { items: Object.fromEntries(items) }) }
}

/** Changes to fields that the actions leave alone are no conflict. */
export function isConflict(
  state: PursuitState,
  { seen, actions }: { readonly seen: SeenPursuit; readonly actions: readonly PursuitAction[] },
  context: ActionContext,
): boolean {
  const before = state.pursuit
  const after = applyPursuitActions(state, actions, context).pursuit
  const isOverwritten = FIELDS.some((field) => {
    const shown = seen === null ? null : seen[field]
    const now = before?.[field] ?? null
    return shown !== undefined && now !== shown && (after?.[field] ?? null) !== now
  })
  if (isOverwritten) return true
  return actions.some((action) => {
    if (action.action !== 'edit_item') return false
    const now = before?.checklist.find(({ id }) => id === action.id)?.text
    const shown = seen?.items?.[action.id]
    return now !== undefined && shown !== undefined && now !== shown && now !== action.text
  })
}
