import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainUser } from '../../test/any-user.ts'
import { NOTIFICATIONS, userPatchArbitrary } from '../../test/user-patches.ts'
import type { User } from '../account/user.ts'
import { applyUserPatch, invertUserPatch } from './apply-user-patch.ts'
import { type UserPatch, userPatchSchema } from './user-patch.ts'

/** Returns a user's data without the order of lists, because restored items are appended. */
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

const UNREAD_NOTIFICATIONS: User['notification_updated_status'] = {
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

test('undo restores the previous state and passes the server schema', () => {
  fc.assert(
    fc.property(fc.array(userPatchArbitrary, { maxLength: 12 }), userPatchArbitrary, (patches, patch) => {
      const before = patches.reduce(
        applyUserPatch,
        plainUser({ notification_updated_status: UNREAD_NOTIFICATIONS, shares_looks: false }),
      )
      const undo = invertUserPatch(before, patch)
      const after = applyUserPatch(before, patch)
      if (undo) expect(userPatchSchema.safeParse(JSON.parse(JSON.stringify(undo))).error).toBeUndefined()
      expect(content(undo ? applyUserPatch(after, undo) : after)).toEqual(content(before))
    }),
    { numRuns: 500 },
  )
})

test('undo reverts only its own change: a star from before stays', () => {
  const before = plainUser({ project_bookmark: ['1'] })
  expect(invertUserPatch(before, { bookmark_action: { action: 'add', project_ids: ['1', '2'] } })).toEqual({
    bookmark_action: { action: 'remove', project_ids: ['2'] },
  })
  expect(invertUserPatch(before, { bookmark_action: { action: 'add', project_id: '1' } })).toBeUndefined()
})

test('undo keeps what another tab changed meanwhile', () => {
  const before = plainUser({ project_labels: [LABEL], project_label_assignments: { 1: ['a'] } })
  const patch: UserPatch = { label_action: { action: 'assign_label', label_id: 'a', project_ids: ['1', '2'] } }
  const meanwhile = applyUserPatch(applyUserPatch(before, patch), {
    label_action: { action: 'assign_label', label_id: 'a', project_id: '3' },
  })
  const back = applyUserPatch(meanwhile, invertUserPatch(before, patch)!)
  expect(back.project_label_assignments).toEqual({ 1: ['a'], 3: ['a'] })
})

test('undo restores a deleted label with name, colour and all 4,000 projects', () => {
  const projects = Array.from({ length: 4_000 }, (_, i) => String(i))
  const before = plainUser({
    project_labels: [LABEL],
    project_label_assignments: Object.fromEntries(projects.map((id) => [id, ['a']])),
  })
  const undo = invertUserPatch(before, { label_action: { action: 'delete_label', label_id: 'a' } })
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

test('undo restores a removed filter with its content and mail setting', () => {
  const before = plainUser({ project_save_filter_profile: [FILTER] })
  const undo = invertUserPatch(before, { filter_action: { action: 'remove', filter_id: 'f' } })!
  expect(applyUserPatch(plainUser(), undo).project_save_filter_profile).toEqual([FILTER])
})
