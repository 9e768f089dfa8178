import { type Colleague, findPursuitStage, MAX_PURSUIT_CHECKLIST_ITEMS } from '#contract/account/pursuit-settings.ts'
import { EDIT_CONFLICT_ERROR_CODE } from '#contract/http/changed-meanwhile.ts'
import { applyPursuitAction, PURSUIT_CREATING_ACTIONS, type PursuitState } from '#contract/team/apply-pursuit-action.ts'
import type { NoteFile } from '#contract/team/note-file.ts'
import { MAX_NOTE_MENTIONS, type PursuitDetail, type PursuitNote } from '#contract/team/pursuit.ts'
import type { PursuitAction, PursuitPatch } from '#contract/team/pursuit-action.ts'
import { isPursuitPatchConflict } from '#contract/team/pursuit-conflict.ts'
import { isPlausibleProjectId } from '#server/catalogue/is-plausible-project-id.ts'
import { writeWebhookEventsForStageChange } from '#server/channels/webhook-event/write-webhook-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { claimIdempotencyKey } from '#server/platform/route/idempotency-keys.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { recordUsageEvents } from '#server/platform/route/usage-events.ts'
import { listDraftComments } from '#server/team/draft-comment/queries.ts'
import { describePursuitAction, getPursuitActionUsageText } from './describe-pursuit-action.ts'
import { attachNoteFiles, findNoteFilesUsableByCaller } from './note-file-queries.ts'
import {
  appendPursuitEvents,
  countPursuits,
  hasPursuitEventsByOtherMembers,
  isProjectKnownToOrganisation,
  listColleagues,
  loadProjectOutcome,
  loadPursuitHistory,
  loadPursuitState,
  lockPursuitBoard,
  type NewPursuitEvent,
  notifyMentionedColleagues,
  type PursuitBoard,
  savePursuit,
  savePursuitNote,
} from './queries.ts'

/** Maximum pursuits of an organisation, far above manual use. */
const MAX_PURSUITS = 20_000
const MAX_NOTES = 1_000

const refused = (text: string) => new ProblemError('bad_input', { text })

export const canSeeBidPrice = ({ role }: Actor, { price_roles }: Pick<PursuitBoard, 'price_roles'>): boolean =>
  price_roles.includes(role)

export async function presentPursuitDetail(
  db: Db,
  actor: Actor,
  {
    projectId,
    state,
    board,
  }: { readonly projectId: string; readonly state: PursuitState; readonly board: PursuitBoard },
): Promise<PursuitDetail> {
  const { pursuit, notes } = state
  const history = await loadPursuitHistory(db, actor.organisationId, projectId)
  const isShown = canSeeBidPrice(actor, board)
  return {
    project_id: projectId,
    pursuit: pursuit && { ...pursuit, price: isShown ? pursuit.price : null },
    notes: [...notes],
    history: history.map((event) =>
      event.action === 'set_price' && !isShown ? { ...event, from: null, to: null } : event,
    ),
    outcome: await loadProjectOutcome(db, projectId),
    draft_comments: await listDraftComments(db, actor.organisationId, projectId),
  }
}

/** Throws ProblemError `not_found` unless the project is in the organisation's report or a member has worked on it. */
export async function assertProjectKnownToOrganisation(
  db: Db,
  { organisationId }: Actor,
  projectId: string,
): Promise<void> {
  if (!isPlausibleProjectId(projectId) || !(await isProjectKnownToOrganisation(db, organisationId, projectId)))
    throw new ProblemError('not_found')
}

/**
 * Applies all actions or none, serialised per organisation, and returns the resulting state. Throws ProblemError
 * `not_found` for an unknown project or note, 400 for a forbidden action, `changed_meanwhile` with the current state if
 * a colleague changed it since `seen`.
 */
export async function patchPursuit(
  db: Db,
  actor: Actor,
  projectId: string,
  { actions, seen, now, key }: PursuitPatch & { readonly now: Date; readonly key?: string | undefined },
): Promise<PursuitDetail> {
  const { organisationId, userId } = actor
  const at = now.toISOString()
  return db.transaction(async (tx) => {
    await assertProjectKnownToOrganisation(tx, actor, projectId)
    const board = await lockPursuitBoard(tx, organisationId)
    const colleagues = await listColleagues(tx, organisationId)
    const before = await loadPursuitState(tx, organisationId, projectId)
    if (!(await claimIdempotencyKey(tx, { userId, key, at: now })))
      return presentPursuitDetail(tx, actor, { projectId, state: before, board })
    const files = await usableFiles(tx, actor, projectId, actions)
    const context = { by: userId, at, rules: board, files }
    if (seen !== undefined && isPursuitPatchConflict(before, { seen, actions }, context)) {
      const current = await presentPursuitDetail(tx, actor, { projectId, state: before, board })
      throw new ProblemError(EDIT_CONFLICT_ERROR_CODE, { details: { current } })
    }
    const events: NewPursuitEvent[] = []
    let state = before
    for (const received of actions) {
      const action = withKnownMentions(received, colleagues)
      await assertAllowed(tx, action, { actor, board, colleagues, state, projectId })
      const next = applyPursuitAction(state, action, context)
      if (next !== state)
        events.push({ projectId, at, by: userId, ...describePursuitAction(state, next, action, board) })
      state = next
    }
    const place = board.version + 1
    await appendPursuitEvents(tx, organisationId, board.version, events)
    await saveState(tx, { organisationId, projectId, before, after: state, place, at })
    const stageIn = ({ pursuit }: PursuitState) => (pursuit && findPursuitStage(board.stages, pursuit.stage)) ?? null
    const stageChange = { before: stageIn(before), after: stageIn(state) }
    await writeWebhookEventsForStageChange(tx, { organisationId, projectId, ...stageChange, at: now })
    await recordUsageEvents(
      tx,
      [...new Set(events.map(({ action }) => getPursuitActionUsageText(action)))].map((description) => ({
        ...{ organisationId, userId, at: now, type: 'pursuit' as const, description },
        info: [{ name: 'โครงการ', value: projectId }],
      })),
    )
    return presentPursuitDetail(tx, actor, { projectId, state, board })
  })
}

type NoteAction = Extract<PursuitAction, { action: 'add_note' | 'edit_note' }>

/**
 * Returns the files named by these actions, by id. Throws ProblemError 400 for a file that is missing, belongs to
 * another user or is attached to another note.
 */
async function usableFiles(
  tx: Db,
  actor: Actor,
  projectId: string,
  actions: readonly PursuitAction[],
): Promise<Readonly<Record<string, NoteFile>>> {
  const noteActions = actions.filter(
    (action): action is NoteAction => action.action === 'add_note' || action.action === 'edit_note',
  )
  const ids = noteActions.flatMap(({ files = [] }) => files)
  const usable = await findNoteFilesUsableByCaller(tx, actor, {
    projectId,
    ids,
    notes: noteActions.map(({ id }) => id),
  })
  const byId = new Map(usable.map((file) => [file.id, file]))
  const isFree = (id: string, noteId: string) => {
    const file = byId.get(id)
    return file !== undefined && (file.note_id === null || file.note_id === noteId)
  }
  const isClaimedTwice = new Set(ids).size < ids.length && noteActions.length > 1
  if (isClaimedTwice || noteActions.some(({ id, files = [] }) => !files.every((file) => isFree(file, id))))
    throw refused('ไฟล์ที่แนบไม่อยู่แล้ว แนบใหม่อีกครั้ง')
  return Object.fromEntries(usable.map(({ id, name, type, bytes }) => [id, { id, name, type, bytes }]))
}

function withKnownMentions(action: PursuitAction, colleagues: readonly Colleague[]): PursuitAction {
  if (action.action !== 'add_note' && action.action !== 'edit_note') return action
  if (action.mentions === undefined) return action
  const knownIds = new Set(
    action.mentions.filter((id) => colleagues.some((colleague) => colleague.id === id && !colleague.is_disabled)),
  )
  return { ...action, mentions: [...knownIds].slice(0, MAX_NOTE_MENTIONS) }
}

type ActionCheck = {
  readonly actor: Actor
  readonly board: PursuitBoard
  readonly colleagues: readonly Colleague[]
  readonly state: PursuitState
  readonly projectId: string
}

async function assertAllowed(tx: Db, action: PursuitAction, check: ActionCheck): Promise<void> {
  const { actor, board, colleagues, state } = check
  const isOpen = (id: number | null) =>
    id === null || colleagues.some((colleague) => colleague.id === id && !colleague.is_disabled)
  if (action.action === 'set_stage' && !findPursuitStage(board.stages, action.stage))
    throw refused('ไม่มีขั้นนี้แล้ว โหลดหน้าใหม่แล้วลองอีกครั้ง')
  if (action.action === 'set_owner' && !isOpen(action.owner)) throw refused('ไม่มีคนนี้ในทีม')
  if (action.action === 'assign_item' && !isOpen(action.assignee)) throw refused('ไม่มีคนนี้ในทีม')
  if (action.action === 'set_price' && !canSeeBidPrice(actor, board)) throw refused('เฉพาะผู้ที่องค์กรเลือกไว้จึงใส่ราคาได้')
  if (action.action === 'add_item' && (state.pursuit?.checklist.length ?? 0) >= MAX_PURSUIT_CHECKLIST_ITEMS)
    throw refused(`มีรายการตรวจได้ไม่เกิน ${MAX_PURSUIT_CHECKLIST_ITEMS} รายการ`)
  if (state.pursuit === null && PURSUIT_CREATING_ACTIONS.includes(action.action)) {
    if ((await countPursuits(tx, actor.organisationId)) >= MAX_PURSUITS) throw refused('องค์กรมีงานครบจำนวนสูงสุดแล้ว')
  }
  if (action.action === 'remove') await assertRemovable(tx, check)
  assertOwnNote(action, check)
}

async function assertRemovable(tx: Db, { actor, state, projectId }: ActionCheck): Promise<void> {
  if (state.pursuit === null) return
  const { organisationId, userId } = actor
  const since = state.pursuit.created_at
  if (
    state.pursuit.created_by !== userId ||
    (await hasPursuitEventsByOtherMembers(tx, organisationId, projectId, { userId, since }))
  )
    throw refused('มีคนอื่นทำงานนี้ต่อแล้ว จึงเอาออกไม่ได้')
}

function assertOwnNote(action: PursuitAction, { actor, state }: ActionCheck): void {
  if (action.action === 'add_note') {
    if (state.notes.length >= MAX_NOTES) throw refused(`โครงการหนึ่งมีโน้ตได้ไม่เกิน ${MAX_NOTES} โน้ต`)
    // No author check: repeating a new note is harmless, and adding never overwrites another user's note.
    return
  }
  if (!action.action.endsWith('note') || !('id' in action)) return
  const note = state.notes.find(({ id }) => id === action.id)
  if (!note) throw new ProblemError('not_found')
  if (action.action !== 'pin_note' && note.author !== actor.userId) throw refused('แก้และลบได้เฉพาะโน้ตของตัวเอง')
}

type PursuitSave = {
  readonly organisationId: number
  readonly projectId: string
  readonly before: PursuitState
  readonly after: PursuitState
  readonly place: number
  readonly at: string
}

async function saveState(tx: Db, { organisationId, projectId, before, after, place, at }: PursuitSave): Promise<void> {
  if (after.pursuit !== before.pursuit) await savePursuit(tx, organisationId, projectId, after.pursuit)
  const notesById = new Map(before.notes.map((note): [string, PursuitNote] => [note.id, note]))
  for (const [i, note] of after.notes.entries()) {
    const old = notesById.get(note.id)
    if (note === old) continue
    await savePursuitNote(tx, organisationId, projectId, { note, place: place + i })
    const files = note.files.map(({ id }) => id)
    if (files.join() !== (old?.files ?? []).map(({ id }) => id).join())
      await attachNoteFiles(tx, { organisationId, projectId, noteId: note.id }, files, at)
    if (note.mentions.length > 0 && note.mentions !== old?.mentions)
      await notifyMentionedColleagues(tx, projectId, note, at)
  }
}
