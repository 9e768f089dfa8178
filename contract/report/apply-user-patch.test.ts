import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainUser } from '../../test/any-user.ts'
import { userPatchArbitrary } from '../../test/user-patches.ts'
import { getProjectLabelIds } from '../account/label.ts'
import type { User } from '../account/user.ts'
import { applyUserPatch } from './apply-user-patch.ts'
import type { UserPatch } from './user-patch.ts'

const after = (user: User, ...patches: UserPatch[]) => patches.reduce(applyUserPatch, user)
const label = (label_action: NonNullable<UserPatch['label_action']>): UserPatch => ({ label_action })
const create = (id: string, project_id?: string) =>
  label({
    action: 'create_label',
    label_id: id,
    label_name: id,
    label_color: 'sky',
    ...(project_id ? { project_id } : {}),
  })

describe('applyUserPatch', () => {
  test('appends new stars without duplicates and removes them all', () => {
    const star = (action: 'add' | 'remove', ...project_ids: string[]): UserPatch => ({
      bookmark_action: { action, project_ids },
    })
    const user = after(plainUser(), star('add', '2', '1'), star('add', '3', '2'))
    expect(user.project_bookmark).toEqual(['2', '1', '3'])
    expect(after(user, star('remove', '1', '2', '3', '4')).project_bookmark).toEqual([])
  })

  test('ignores a list sent with its action; a list alone replaces the stored one', () => {
    const user = plainUser({ project_bookmark: ['1'] })
    const stale = { project_bookmark: ['9'], bookmark_action: { action: 'add' as const, project_id: '2' } }
    expect(after(user, stale).project_bookmark).toEqual(['1', '2'])
    expect(after(user, { project_bookmark: ['9', '9'] }).project_bookmark).toEqual(['9'])
  })

  test('counts a new label and only assigns a known one', () => {
    const user = after(plainUser(), create('a'), create('a', '1'), create('b', '1'))
    expect(user.project_labels.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(user.project_label_assignments).toEqual({ 1: ['a', 'b'] })
    expect(user.label_metadata).toMatchObject({ currentCount: 2, remainingSlots: 18 })
  })

  test('removes a deleted label from every project', () => {
    const user = after(
      plainUser(),
      create('a', '1'),
      create('b', '1'),
      label({ action: 'delete_label', label_id: 'a' }),
    )
    expect(user.project_label_assignments).toEqual({ 1: ['b'] })
    expect(after(user, label({ action: 'delete_label', label_id: 'b' })).project_label_assignments).toEqual({})
  })

  test('ignores labels and filters that no longer exist', () => {
    const user = plainUser()
    for (const action of ['assign_label', 'unassign_label'] as const)
      expect(after(user, label({ action, label_id: 'x', project_id: '1' }))).toEqual(user)
    expect(after(user, label({ action: 'rename_label', label_id: 'x', label_name: 'y' }))).toEqual(user)
    expect(after(user, { filter_action: { action: 'email_toggle', filter_id: 'x' } })).toEqual(user)
  })

  test('marks notifications up to an id as read, leaves newer ones, and lets an explicit mark win', () => {
    const notification = (id: string, read: boolean) =>
      ({ id, read }) as User['notification_updated_status']['notifications'][number]
    const user = plainUser({
      notification_updated_status: {
        clickRead: true,
        notifications: [notification('10', false), notification('9', false), notification('2', true)],
      },
    })
    const marked = (patch: NonNullable<UserPatch['notification_updated_status']>) => {
      const { clickRead, notifications } = after(user, {
        notification_updated_status: patch,
      }).notification_updated_status
      return [clickRead, ...notifications.map(({ read }) => read)]
    }
    expect(marked({ clickRead: false })).toEqual([false, false, false, true])
    expect(marked({ read_up_to: '9' })).toEqual([true, false, true, true])
    expect(
      marked({
        notifications: [
          { id: '10', read: true },
          { id: '77', read: true },
        ],
      }),
    ).toEqual([true, true, false, true])
    expect(marked({ read_up_to: '10', notifications: [{ id: '2', read: false }] })).toEqual([true, true, true, false])
  })

  test('accepts the content of a new filter from the list item', () => {
    const filterData = { filter: { bookmark: true }, search: [] }
    const filter_action = { action: 'add' as const, filter_id: 'f', filterName: 'ดาว' }
    const savedFilters = [{ id: 'f', filterName: 'ดาว', isSend: false, isStart: false, filterData }]
    expect(after(plainUser(), { filter_action: { ...filter_action, filterData } }).project_save_filter_profile).toEqual(
      savedFilters,
    )
    const listed = after(plainUser(), { filter_action, project_save_filter_profile: [{ id: 'f', filterData }] })
    expect(listed.project_save_filter_profile).toEqual(savedFilters)
    expect(after(plainUser(), { filter_action }).project_save_filter_profile).toEqual([])
  })

  test('R32: a project id named after an Object.prototype property starts without labels', () => {
    expect(getProjectLabelIds({}, 'constructor')).toEqual([])
    const user = after(plainUser(), create('a', 'constructor'), create('a', 'toString'))
    expect(getProjectLabelIds(user.project_label_assignments, 'toString')).toEqual(['a'])
    const cleared = after(user, label({ action: 'remove_assignment', project_ids: ['constructor', 'toString'] }))
    expect(Object.keys(cleared.project_label_assignments)).toEqual([])
  })
})

describe('any patch', () => {
  const history = fc.array(userPatchArbitrary, { maxLength: 12 })

  test('does not mutate the given user and keeps the counts correct', () => {
    fc.assert(
      fc.property(history, (patches) => {
        let user = plainUser()
        for (const patch of patches) {
          const before = structuredClone(user)
          const next = applyUserPatch(user, patch)
          expect(user).toEqual(before)
          user = next
        }
        expect(user.label_metadata.currentCount).toBe(user.project_labels.length)
        const labelIds = new Set(user.project_labels.map(({ id }) => id))
        for (const labels of Object.values(user.project_label_assignments)) {
          expect(labels.length).toBeGreaterThan(0)
          expect(new Set(labels).size).toBe(labels.length)
          expect(labels.filter((id) => !labelIds.has(id))).toEqual([])
        }
        expect(new Set(user.project_bookmark).size).toBe(user.project_bookmark.length)
      }),
    )
  })

  test('R46: is idempotent, except for a toggle', () => {
    fc.assert(
      fc.property(history, userPatchArbitrary, (patches, patch) => {
        fc.pre(!(patch.filter_action?.action === 'email_toggle' && patch.filter_action.is_send === undefined))
        const once = after(plainUser(), ...patches, patch)
        expect(applyUserPatch(once, patch)).toEqual(once)
      }),
    )
  })
})
