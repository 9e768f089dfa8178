import type { ReportPageResponse } from '#contract/report/report.ts'
import {
  applyPursuitAction,
  applyPursuitActions,
  type PursuitActionContext,
} from '#contract/team/apply-pursuit-action.ts'
import { buildPursuitUndoActions } from '#contract/team/build-pursuit-undo-actions.ts'
import type { NoteFile } from '#contract/team/note-file.ts'
import { type PursuitCard, type PursuitDetail, type PursuitList, pursuitDetailSchema } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'
import { getPursuitSnapshot } from '#contract/team/pursuit-conflict.ts'
import type { PursuitSnapshot } from '#contract/team/pursuit-snapshot.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { getCurrentUser } from '#src/account/api/users.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import {
  type ChangeResultMessages,
  defineOptimisticChange,
  getOptimisticQueryData,
  runOptimisticChange,
} from '#src/api/optimistic-changes.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { pursuitQuery } from './pursuits.ts'

export type PursuitChange = {
  readonly id: string
  readonly actions: readonly PursuitAction[]
  readonly context: PursuitActionContext
  /** The values that the author saw, for conflict detection; absent if this device has nothing cached. */
  readonly seen?: PursuitSnapshot | undefined
}

export const pursuitMutation = defineOptimisticChange<PursuitChange, PursuitDetail>({
  name: 'pursuit',
  layers: [
    {
      key: ({ id }) => pursuitKeys.detail(id),
      apply: (detail: PursuitDetail, { actions, context }) => applyPursuitActions(detail, actions, context),
      settle: (_cached: PursuitDetail, answer) => answer,
      undo: (before: PursuitDetail, change) => {
        const actions = buildPursuitUndoActions(before, change.actions, change.context)
        if (!actions) return undefined
        const after = applyPursuitActions(before, change.actions, change.context)
        return { ...change, actions, seen: getPursuitSnapshot(after.pursuit, actions) }
      },
    },
    { key: pursuitKeys.lists, apply: withActions },
  ],
  // The server merges the changes of different users, but needs those of one user in order.
  mustWaitFor: (later, earlier) => later.id === earlier.id,
  tags: () => ['pursuits'],
  isResumed: true,
  queuesOffline: true,
  send: ({ id, actions, seen }, call) =>
    call(`pursuits/${encodeURIComponent(id)}`, {
      method: 'patch',
      json: { actions, ...(seen !== undefined && { seen }) },
      schema: pursuitDetailSchema,
    }),
})

function withActions(list: PursuitList, { id, actions, context }: PursuitChange): PursuitList {
  return {
    ...list,
    results: list.results.map((card) =>
      card.project_id === id ? actions.reduce((next, action) => withAction(next, action, context), card) : card,
    ),
  }
}

/** Fields that the card lacks get neutral values, which no action available on a card reads. */
const pursuitOf = ({ stage, owner, decision = null, reason = null, lost_reason = null, changed_at }: PursuitCard) => ({
  ...{ stage, stage_since: changed_at, owner, decision, reason, lost_reason, changed_at, created_at: changed_at },
  ...{ decided_by: null, decided_at: null, price: null, checklist: [], created_by: null },
})

function withAction(card: PursuitCard, action: PursuitAction, context: PursuitActionContext): PursuitCard {
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

/**
 * Returns the values that this user sees, including pending local changes: from the project page or a board, whichever
 * is newer, else from a report row. Undefined if nothing is cached.
 */
function locallySeenValues(id: string, actions: readonly PursuitAction[]): PursuitSnapshot | undefined {
  const detailKey = pursuitKeys.detail(id)
  const boards = queryClient
    .getQueryCache()
    .findAll({ queryKey: pursuitKeys.lists })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const board = boards.find(({ queryKey }) => cardIn(getOptimisticQueryData<PursuitList>(queryKey), id) !== undefined)
  const detail = getOptimisticQueryData<PursuitDetail>(detailKey)
  if (detail && (queryClient.getQueryState(detailKey)?.dataUpdatedAt ?? 0) >= (board?.state.dataUpdatedAt ?? 0))
    return getPursuitSnapshot(detail.pursuit, actions)
  if (board) {
    const card = cardIn(getOptimisticQueryData<PursuitList>(board.queryKey), id)!
    const { price: _unseen, ...seen } = pursuitOf(card)
    return getPursuitSnapshot(seen, actions)
  }
  const row = queryClient
    .getQueriesData<ReportPageResponse>({ queryKey: ['reports', 'page'] })
    .flatMap(([, page]) => page?.results ?? [])
    .find(({ project_id }) => project_id === id)
  if (row?.pursuit === undefined) return undefined
  return row.pursuit?.stage ? { stage: row.pursuit.stage, owner: row.pursuit.owner } : null
}

const cardIn = (list: PursuitList | undefined, id: string) => list?.results.find(({ project_id }) => project_id === id)

const filesOfNotes = (id: string): readonly NoteFile[] =>
  queryClient.getQueryData(pursuitQuery(id).queryKey)?.notes.flatMap(({ files }) => files) ?? []

/**
 * Changes a pursuit or its notes optimistically and rolls back only this change if the server refuses it. `files` are
 * the files that the actions attach to notes. Resolves to true if the server confirmed the change; never rejects.
 */
export async function patchPursuit(
  id: string,
  actions: readonly PursuitAction[],
  message: ChangeResultMessages,
  files: readonly NoteFile[] = [],
): Promise<boolean> {
  try {
    const { stages, template } = await queryClient.query({ ...pursuitSettingsQuery, staleTime: 'static' })
    const filesById = Object.fromEntries([...filesOfNotes(id), ...files].map((file) => [file.id, file]))
    const by = Number(getCurrentUser()?.id)
    const context = { by, at: getServerTime().toISOString(), rules: { stages, template }, files: filesById }
    // The note form waits for the response, and its files are already uploaded, so notes are not queued.
    const queuesOffline = actions.every(({ action }) => !action.endsWith('_note'))
    const change = { id, actions, context, seen: locallySeenValues(id, actions) }
    await runOptimisticChange(pursuitMutation, change, { message, queuesOffline })
    return true
  } catch {
    return false
  }
}
