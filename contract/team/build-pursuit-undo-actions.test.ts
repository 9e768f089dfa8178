import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pursuitOrNoteActionArbitrary } from '../../test/world/pursuit-actions.ts'
import { DEFAULT_PURSUIT_CHECKLIST, DEFAULT_PURSUIT_STAGES } from '../account/pursuit-settings.ts'
import { applyPursuitActions, type PursuitState } from './apply-pursuit-action.ts'
import { buildPursuitUndoActions } from './build-pursuit-undo-actions.ts'

const NOTHING: PursuitState = { pursuit: null, notes: [] }
const context = {
  by: 1,
  at: '2026-11-23T02:00:00.000Z',
  rules: { stages: [...DEFAULT_PURSUIT_STAGES], template: [...DEFAULT_PURSUIT_CHECKLIST] },
}
const later = { ...context, at: '2026-11-23T03:00:00.000Z' }
const actions = fc.array(pursuitOrNoteActionArbitrary([1, 2]), { minLength: 1, maxLength: 4 })
const before = fc
  .array(pursuitOrNoteActionArbitrary([1, 2]), { maxLength: 12 })
  .map((some) => applyPursuitActions(NOTHING, some, context))

/** Ignores what undo does not restore: time of the last change, checklist order, existence of deleted notes. */
const comparable = ({ pursuit, notes }: PursuitState) => ({
  pursuit: pursuit && {
    ...pursuit,
    ...{ stage_since: '', changed_at: '', decided_at: pursuit.decided_at && '' },
    checklist: pursuit.checklist
      .map((item) => ({ ...item, done_at: item.done_at && '' }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  },
  notes: notes
    .filter(({ deleted_at }) => deleted_at === null)
    .map(({ id, text, is_pinned }) => ({ id, text, is_pinned })),
})

test('undo reverts what a patch changed', () => {
  fc.assert(
    fc.property(before, actions, (state, patch) => {
      const after = applyPursuitActions(state, patch, later)
      const undo = buildPursuitUndoActions(state, patch, later)
      if (undo === undefined) expect(after).toBe(state)
      else expect(comparable(applyPursuitActions(after, undo, later))).toEqual(comparable(state))
    }),
    { numRuns: 500 },
  )
})

test('undoing the deletion of a pinned note pins it again', () => {
  const state = applyPursuitActions(
    NOTHING,
    [
      { action: 'add_note', id: 'n1', text: 'ราคา 11.48 ล้าน' },
      { action: 'pin_note', id: 'n1', pinned: true },
    ],
    context,
  )
  const deletion = [{ action: 'delete_note', id: 'n1' }] as const
  const undo = buildPursuitUndoActions(state, deletion, later)!
  const restored = applyPursuitActions(applyPursuitActions(state, deletion, later), undo, later)
  expect(restored.notes).toMatchObject([{ text: 'ราคา 11.48 ล้าน', is_pinned: true, deleted_at: null }])
})

test('repeating an action changes nothing', () => {
  fc.assert(
    fc.property(before, pursuitOrNoteActionArbitrary([1, 2]), (state, action) => {
      const once = applyPursuitActions(state, [action], later)
      expect(applyPursuitActions(once, [action], { ...later, at: '2026-11-23T04:00:00.000Z' })).toBe(once)
    }),
    { numRuns: 500 },
  )
})

test('a stage implies its decision, however the pursuit entered it', () => {
  fc.assert(
    fc.property(before, ({ pursuit }) => {
      if (pursuit === null) return
      const kind = DEFAULT_PURSUIT_STAGES.find(({ id }) => id === pursuit.stage)!.kind
      if (kind === 'declined') expect(pursuit.decision).toBe('no_bid')
      else expect(pursuit.decision).not.toBe('no_bid')
      if (kind !== 'declined' && kind !== 'open') expect(pursuit.decision).toBe('bid')
      if (kind !== 'lost') expect(pursuit.lost_reason).toBeNull()
      expect(pursuit.decided_at === null).toBe(pursuit.decision === null)
    }),
    { numRuns: 500 },
  )
})

test('the first action creates a pursuit in the first stage with the template checklist', () => {
  const { pursuit } = applyPursuitActions(NOTHING, [{ action: 'set_owner', owner: 2 }], context)
  expect(pursuit).toMatchObject({ stage: 'screened', owner: 2, decision: null, created_by: 1 })
  expect(pursuit!.checklist.map(({ text }) => text)).toEqual(DEFAULT_PURSUIT_CHECKLIST)
  expect(applyPursuitActions(NOTHING, [{ action: 'check_item', id: 't1', done: true }], context)).toBe(NOTHING)
})
