import { type ActionContext, applyPursuitAction, applyPursuitActions } from '#contract/pursuit/apply-pursuit-action.ts'
import type { NoteFile } from '#contract/pursuit/note-file.ts'
import {
  type PursuitCard,
  type PursuitDetail,
  type PursuitList,
  pursuitDetailSchema,
} from '#contract/pursuit/pursuit.ts'
import type { PursuitAction } from '#contract/pursuit/pursuit-action.ts'
import { undoOfPursuitActions } from '#contract/pursuit/undo-pursuit-action.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { pursuitKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'
import { type ChangeMessage, defineChange, mutate } from '../optimistic.ts'
import { currentUser } from '../user/users.ts'
import { pursuitSettingsQuery } from './pursuit-settings.ts'
import { pursuitQuery } from './pursuits.ts'

export type PursuitChange = {
  readonly id: string
  readonly actions: readonly PursuitAction[]
  /** By which they are shown before the answer. */
  readonly context: ActionContext
}

export const pursuitMutation = (message: ChangeMessage, waits = false) =>
  defineChange<PursuitChange, PursuitDetail>({
    name: 'pursuit',
    layers: [
      {
        key: ({ id }) => pursuitKeys.detail(id),
        apply: (detail: PursuitDetail, { actions, context }) => applyPursuitActions(detail, actions, context),
        settle: (_cached: PursuitDetail, answer) => answer,
        undo: (before: PursuitDetail, change) => {
          const actions = undoOfPursuitActions(before, change.actions, change.context)
          return actions && { ...change, actions }
        },
      },
      { key: pursuitKeys.lists, apply: withActions },
    ],
    // What two people do is merged by the server; what one does arrives in its order.
    mustWaitFor: (later, earlier) => later.id === earlier.id,
    tags: () => ['pursuits'],
    isResumed: true,
    waits,
    message,
    send: ({ id, actions }, call) =>
      call(`pursuits/${encodeURIComponent(id)}`, { method: 'patch', json: { actions }, schema: pursuitDetailSchema }),
  })

/** The board with what these actions make of a card; a project that has none yet comes with the next answer. */
function withActions(list: PursuitList, { id, actions, context }: PursuitChange): PursuitList {
  return {
    ...list,
    results: list.results.map((card) =>
      card.project_id === id ? actions.reduce((next, action) => withAction(next, action, context), card) : card,
    ),
  }
}

/** As far as a card knows it; what it does not show, no action that it shows looks at. */
const pursuitOf = ({ stage, owner, decision = null, reason = null, lost_reason = null, changed_at }: PursuitCard) => ({
  ...{ stage, stage_since: changed_at, owner, decision, reason, lost_reason, changed_at, created_at: changed_at },
  ...{ decided_by: null, decided_at: null, price: null, checklist: [], created_by: null },
})

function withAction(card: PursuitCard, action: PursuitAction, context: ActionContext): PursuitCard {
  const counts: Partial<Record<PursuitAction['action'], Partial<PursuitCard>>> = {
    add_note: { note_count: card.note_count + 1 },
    delete_note: { note_count: card.note_count - 1 },
    add_item: { items: card.items + 1 },
  }
  const items = action.action === 'check_item' ? { items_done: card.items_done + (action.done ? 1 : -1) } : {}
  const { pursuit } = applyPursuitAction({ pursuit: pursuitOf(card), notes: [] }, action, context)
  if (pursuit === null) return card
  const { stage, owner, decision, reason, lost_reason, changed_at } = pursuit
  return {
    ...card,
    ...{ stage, owner, decision, reason, lost_reason, changed_at },
    ...counts[action.action],
    ...items,
  }
}

/** Files that notes of a project hold, as they are known here. */
const filesOfNotes = (id: string): readonly NoteFile[] =>
  queryClient.getQueryData(pursuitQuery(id).queryKey)?.notes.flatMap(({ files }) => files) ?? []

/**
 * Changes a pursuit or its notes: shown at once, sent as actions, taken back alone when the server refuses. `files`: what the actions put into notes. Resolves to whether
 * the server has confirmed it; never rejects.
 */
export async function patchPursuit(
  id: string,
  actions: readonly PursuitAction[],
  message: ChangeMessage,
  files: readonly NoteFile[] = [],
): Promise<boolean> {
  try {
    const { stages, template } = await queryClient.query({ ...pursuitSettingsQuery, staleTime: 'static' })
    const known = Object.fromEntries([...filesOfNotes(id), ...files].map((file) => [file.id, file]))
    const by = Number(currentUser()?.id)
    const context = { by, at: serverNow().toISOString(), rules: { stages, template }, files: known }
    // A note is written in a form that waits for the word of the server, and its files are there already.
    const waits = actions.every(({ action }) => !action.endsWith('_note'))
    await mutate(pursuitMutation(message, waits), { id, actions, context })
    return true
  } catch {
    return false
  }
}
