import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainUser } from '../../test/any-user.ts'
import { anyUserPatch, NOTIFICATIONS } from '../../test/user-patches.ts'
import type { User } from '../account/user.ts'
import { applyUserPatch } from './apply-user-patch.ts'
import { undoOfUserPatch } from './undo-user-patch.ts'
import { type UserPatch, userPatchSchema } from './user-patch.ts'

/** Ignores order, because restored items are appended. */
function content(user: User) {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  return {
    ...user,
    project_bookmark: [...user.project_bookmark].sort(),
    project_hidden: [...user.project_hidden].sort(),
    project_labels: [...user.project_labels].sort(byId),
    project_save_filter_profile: [...user.project_save_filter_profile].sort(byId),
    project_label_assignments: Object.fromEntries(
      Object.entries(user.project_label_assignments).map(([id, labels]) => [id, [...labels].sort()]),
    ),
  }
}

const LABEL = { id: 'a', name: 'เตรียมยื่น', color: 'sky' }
const FILTER = {
  id: 'f',
  filterName: 'ดาว',
  isSend: true,
  isStart: true,
  filterData: { filter: { bookmark: true }, search: [] },
}

/** Notification group after a load. */
const TOLD: User['notification_updated_status'] = {
  clickRead: true,
  notifications: Array.from({ length: NOTIFICATIONS }, (_, i) => ({
    id: String(NOTIFICATIONS - i),
    read: false,
    type: 'Updated',
    detail: 'ซื้อกล้อง',
    project_id: '1',
    date_created: '2026-11-21T02:00:00.000Z',
    due_date: null,
    outdated: false,
    changes: [],
    export_id: null,
  })),
}

test('taking a change back gives what was before, and the server takes it', () => {
  fc.assert(
    fc.property(fc.array(anyUserPatch, { maxLength: 12 }), anyUserPatch, (patches, patch) => {
      const before = patches.reduce(
        applyUserPatch,
        plainUser({ notification_updated_status: TOLD, shares_looks: false }),
      )
      const undo = undoOfUserPatch(before, patch)
      const after = applyUserPatch(before, patch)
      if (undo) expect(userPatchSchema.safeParse(JSON.parse(JSON.stringify(undo))).error).toBeUndefined()
      expect(content(undo ? applyUserPatch(after, undo) : after)).toEqual(content(before))
    }),
    { numRuns: 500 },
  )
})

test('only what the change itself did is taken back: a star that was there stays', () => {
  const before = plainUser({ project_bookmark: ['1'] })
  expect(undoOfUserPatch(before, { bookmark_action: { action: 'add', project_ids: ['1', '2'] } })).toEqual({
    bookmark_action: { action: 'remove', project_ids: ['2'] },
  })
  expect(undoOfUserPatch(before, { bookmark_action: { action: 'add', project_id: '1' } })).toBeUndefined()
})

test('what another tab did meanwhile survives', () => {
  const before = plainUser({ project_labels: [LABEL], project_label_assignments: { 1: ['a'] } })
  const patch: UserPatch = { label_action: { action: 'assign_label', label_id: 'a', project_ids: ['1', '2'] } }
  const meanwhile = applyUserPatch(applyUserPatch(before, patch), {
    label_action: { action: 'assign_label', label_id: 'a', project_id: '3' },
  })
  const back = applyUserPatch(meanwhile, undoOfUserPatch(before, patch)!)
  expect(back.project_label_assignments).toEqual({ 1: ['a'], 3: ['a'] })
})

test('a deleted label comes back with its name, colour and all of its 4,000 projects', () => {
  const projects = Array.from({ length: 4_000 }, (_, i) => String(i))
  const before = plainUser({
    project_labels: [LABEL],
    project_label_assignments: Object.fromEntries(projects.map((id) => [id, ['a']])),
  })
  const undo = undoOfUserPatch(before, { label_action: { action: 'delete_label', label_id: 'a' } })
  expect(undo).toEqual({
    label_action: {
      action: 'create_label',
      label_id: 'a',
      label_name: LABEL.name,
      label_color: LABEL.color,
      project_ids: projects,
    },
  })
  expect(userPatchSchema.safeParse(undo).success).toBe(true)
})

test('a removed filter comes back with its content and its mail', () => {
  const before = plainUser({ project_save_filter_profile: [FILTER] })
  const undo = undoOfUserPatch(before, { filter_action: { action: 'remove', filter_id: 'f' } })!
  expect(applyUserPatch(plainUser(), undo).project_save_filter_profile).toEqual([FILTER])
})
