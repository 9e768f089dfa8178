import { findPursuitStage, type PursuitBoardSettings, type PursuitStage } from '../account/pursuit-settings.ts'
import type { NoteFile } from './note-file.ts'
import type { ChecklistItem, Pursuit, PursuitDetail, PursuitNote } from './pursuit.ts'
import type { PursuitAction } from './pursuit-action.ts'

/**
 * Context of an action: actor, time (UTC ISO) and the organisation's rules. `files`: the files referenced by note
 * actions, by id.
 */
export type PursuitActionContext = {
  readonly by: number
  readonly at: string
  readonly rules: PursuitBoardSettings
  readonly files?: Readonly<Record<string, NoteFile>>
}

export type PursuitState = Pick<PursuitDetail, 'pursuit' | 'notes'>

/**
 * Applies an action to a pursuit: the server stores the result, the browser uses it optimistically. An action about a
 * missing item returns the same object; permissions are checked by the server.
 */
export function applyPursuitAction<State extends PursuitState>(
  state: State,
  action: PursuitAction,
  context: PursuitActionContext,
): State {
  const notes = applyToNotes(state.notes, action, context)
  if (notes !== state.notes) return { ...state, notes }
  const pursuit = applyToPursuit(state.pursuit, action, context)
  if (pursuit === state.pursuit) return state
  return { ...state, pursuit: pursuit && { ...pursuit, changed_at: context.at } }
}

export function applyPursuitActions<State extends PursuitState>(
  state: State,
  actions: readonly PursuitAction[],
  context: PursuitActionContext,
): State {
  return actions.reduce((next, action) => applyPursuitAction(next, action, context), state)
}

export const PURSUIT_CREATING_ACTIONS: readonly string[] = ['set_stage', 'set_owner', 'decide', 'set_price', 'add_item']

function newPursuit({ by, at, rules }: PursuitActionContext): Pursuit {
  return {
    stage: rules.stages[0]!.id,
    stage_since: at,
    owner: null,
    decision: null,
    reason: null,
    decided_by: null,
    decided_at: null,
    lost_reason: null,
    price: null,
    checklist: rules.template.map((text, i) => ({ ...newItem, id: `t${i + 1}`, text })),
    created_by: by,
    created_at: at,
    changed_at: at,
  }
}
const newItem = { assignee: null, done_by: null, done_at: null }

function applyToPursuit(before: Pursuit | null, action: PursuitAction, context: PursuitActionContext): Pursuit | null {
  if (action.action === 'remove') return null
  if (before === null && !PURSUIT_CREATING_ACTIONS.includes(action.action)) return null
  const pursuit = before ?? newPursuit(context)
  switch (action.action) {
    case 'set_stage':
      return withStage(pursuit, findPursuitStage(context.rules.stages, action.stage), action.reason, context)
    case 'set_owner':
      return pursuit.owner === action.owner ? pursuit : { ...pursuit, owner: action.owner }
    case 'decide':
      return withDecisionAndStage(pursuit, action, context)
    case 'set_price':
      return pursuit.price === action.price ? pursuit : { ...pursuit, price: action.price }
    default:
      return withChecklist(pursuit, action, context)
  }
}

/**
 * Moves a pursuit to a stage. Moving into a `declined` stage sets the decision against bidding, and leaving such a
 * stage clears that decision; submitted, won and lost imply a decision to bid. `lost_reason` exists only in a `lost`
 * stage.
 */
function withStage(
  before: Pursuit,
  stage: PursuitStage | undefined,
  reason: string | null | undefined,
  context: PursuitActionContext,
): Pursuit {
  if (!stage) return before
  const pursuit = before.stage === stage.id ? before : { ...before, stage: stage.id, stage_since: context.at }
  if (stage.kind === 'declined') return withDecision(withLostReason(pursuit, null), 'no_bid', reason, context)
  if (stage.kind !== 'open') {
    const lostReason = reason === undefined ? pursuit.lost_reason : reason || null
    const bid = pursuit.decision === 'bid' ? pursuit : withDecision(pursuit, 'bid', null, context)
    return withLostReason(bid, stage.kind === 'lost' ? lostReason : null)
  }
  const reopened = pursuit.decision === 'no_bid' ? withDecision(pursuit, null, null, context) : pursuit
  return withLostReason(reopened, null)
}

const withLostReason = (pursuit: Pursuit, lost_reason: string | null): Pursuit =>
  pursuit.lost_reason === lost_reason ? pursuit : { ...pursuit, lost_reason }

/**
 * Applies a decision. If no reason is given, an unchanged decision keeps its stored reason, and a new decision has
 * none.
 */
function withDecision(
  pursuit: Pursuit,
  decision: Pursuit['decision'],
  newReason: string | null | undefined,
  { by, at }: PursuitActionContext,
): Pursuit {
  const isSame = pursuit.decision === decision
  const reason = newReason === undefined ? (isSame ? pursuit.reason : null) : newReason || null
  if (isSame) return reason === pursuit.reason ? pursuit : { ...pursuit, reason }
  if (decision === null) return { ...pursuit, decision, reason, decided_by: null, decided_at: null }
  return { ...pursuit, decision, reason, decided_by: by, decided_at: at }
}

/**
 * Applies a decision and moves the stage to match it: "no bid" moves to the first `declined` stage; "bid" moves a
 * `declined` pursuit to the last `open` stage; a cleared decision moves it there from every stage that is not `open`.
 */
function withDecisionAndStage(
  before: Pursuit,
  { decision, reason }: Extract<PursuitAction, { action: 'decide' }>,
  context: PursuitActionContext,
): Pursuit {
  const pursuit = withDecision(before, decision, reason, context)
  const { stages } = context.rules
  const kind = findPursuitStage(stages, pursuit.stage)?.kind
  const stageFits =
    decision === 'no_bid' ? kind === 'declined' : kind === 'open' || (decision === 'bid' && kind !== 'declined')
  if (stageFits) return pursuit
  const stage =
    decision === 'no_bid'
      ? stages.find((candidate) => candidate.kind === 'declined')
      : stages.findLast((candidate) => candidate.kind === 'open')
  return stage ? { ...withLostReason(pursuit, null), stage: stage.id, stage_since: context.at } : pursuit
}

function withChecklist(pursuit: Pursuit, action: PursuitAction, { by, at }: PursuitActionContext): Pursuit {
  const { checklist } = pursuit
  const changeItem = (id: string, change: (item: ChecklistItem) => ChecklistItem): Pursuit => {
    const next = checklist.map((item) => (item.id === id ? change(item) : item))
    return next.every((item, i) => item === checklist[i]) ? pursuit : { ...pursuit, checklist: next }
  }
  switch (action.action) {
    case 'add_item':
      if (checklist.some(({ id }) => id === action.id)) return pursuit
      return { ...pursuit, checklist: [...checklist, { ...newItem, id: action.id, text: action.text }] }
    case 'edit_item':
      return changeItem(action.id, (item) => (item.text === action.text ? item : { ...item, text: action.text }))
    case 'check_item':
      return changeItem(action.id, (item) => {
        if ((item.done_at !== null) === action.done) return item
        return action.done ? { ...item, done_by: by, done_at: at } : { ...item, done_by: null, done_at: null }
      })
    case 'assign_item':
      return changeItem(action.id, (item) =>
        item.assignee === action.assignee ? item : { ...item, assignee: action.assignee },
      )
    case 'remove_item': {
      const next = checklist.filter(({ id }) => id !== action.id)
      return next.length === checklist.length ? pursuit : { ...pursuit, checklist: next }
    }
    default:
      return pursuit
  }
}

function applyToNotes(notes: PursuitNote[], action: PursuitAction, context: PursuitActionContext): PursuitNote[] {
  const { by, at, files: filesById = {} } = context
  const filesOf = (ids: readonly string[]) => [...new Set(ids)].flatMap((id) => filesById[id] ?? [])
  const changeNote = (id: string, change: (note: PursuitNote) => PursuitNote): PursuitNote[] => {
    const next = notes.map((note) => (note.id === id ? change(note) : note))
    return next.every((note, i) => note === notes[i]) ? notes : next
  }
  switch (action.action) {
    case 'add_note': {
      const { id, text, mentions = [], files = [] } = action
      if (notes.some((note) => note.id === id)) return notes
      const note = {
        id,
        author: by,
        text,
        mentions,
        files: filesOf(files),
        is_pinned: false,
        created_at: at,
        edited_at: null,
        deleted_at: null,
      }
      return [...notes, note]
    }
    case 'edit_note':
      return changeNote(action.id, (note) => {
        const files = action.files === undefined ? note.files : filesOf(action.files)
        const hasSameFiles = files.map(({ id }) => id).join() === note.files.map(({ id }) => id).join()
        if (note.text === action.text && hasSameFiles && note.deleted_at === null) return note
        const { text, mentions = note.mentions } = action
        return { ...note, text, mentions, files, edited_at: at, deleted_at: null }
      })
    case 'delete_note':
      return changeNote(action.id, (note) =>
        note.deleted_at === null
          ? { ...note, text: '', mentions: [], files: [], is_pinned: false, deleted_at: at }
          : note,
      )
    case 'pin_note':
      return changeNote(action.id, (note) =>
        note.is_pinned === action.pinned || note.deleted_at !== null ? note : { ...note, is_pinned: action.pinned },
      )
    default:
      return notes
  }
}
