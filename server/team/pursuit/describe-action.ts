import { type PursuitRules, stageOf } from '#contract/account/pursuit-settings.ts'
import type { PursuitState } from '#contract/team/apply-pursuit-action.ts'
import { DECISIONS, type PursuitEvent } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'

type Described = Pick<PursuitEvent, 'action' | 'from' | 'to'>

const text = (value: number | null | undefined) => (value === null || value === undefined ? null : String(value))

/** History entry for an action. Uses current stage names; omits note texts. */
export function describeAction(
  before: PursuitState,
  after: PursuitState,
  action: PursuitAction,
  { stages }: PursuitRules,
): Described {
  const [was, became] = [before.pursuit, after.pursuit]
  const nameOf = (id: string | undefined) => (id === undefined ? null : (stageOf(stages, id)?.name ?? null))
  const itemText = (state: PursuitState) =>
    ('id' in action ? state.pursuit?.checklist.find(({ id }) => id === action.id)?.text : undefined) ?? null
  const done = (name: string, from: string | null, to: string | null): Described => ({ action: name, from, to })
  switch (action.action) {
    case 'set_stage':
      return done('set_stage', nameOf(was?.stage), nameOf(became?.stage))
    case 'decide': {
      const label = (code: string | null | undefined) => DECISIONS.find((one) => one.code === code)?.th ?? null
      return done('decide', label(was?.decision), label(became?.decision))
    }
    case 'set_owner':
      return done('set_owner', text(was?.owner), text(became?.owner))
    case 'set_price':
      return done('set_price', text(was?.price), text(became?.price))
    case 'check_item':
      return done(action.done ? 'check_item' : 'uncheck_item', null, itemText(after))
    case 'assign_item':
      return done('assign_item', itemText(after), text(action.assignee))
    case 'add_item':
    case 'edit_item':
    case 'remove_item':
      return done(action.action, itemText(before), itemText(after))
    case 'pin_note':
      return done(action.pinned ? 'pin_note' : 'unpin_note', null, null)
    default:
      return done(action.action, null, null)
  }
}

const USAGE: Readonly<Record<string, string>> = {
  set_stage: 'ย้ายขั้นของงาน',
  decide: 'ตัดสินใจยื่นหรือไม่ยื่น',
  set_owner: 'เปลี่ยนผู้ดูแลงาน',
  set_price: 'ใส่ราคาที่จะเสนอ',
  check_item: 'ทำรายการตรวจเสร็จ',
  uncheck_item: 'ยกเลิกรายการตรวจที่เสร็จ',
  add_item: 'เพิ่มรายการตรวจ',
  edit_item: 'แก้รายการตรวจ',
  assign_item: 'มอบรายการตรวจ',
  remove_item: 'ลบรายการตรวจ',
  add_note: 'เขียนโน้ต',
  edit_note: 'แก้โน้ต',
  delete_note: 'ลบโน้ต',
  pin_note: 'ปักหมุดโน้ต',
  unpin_note: 'เลิกปักหมุดโน้ต',
  remove: 'เอางานออกจากบอร์ด',
}

export const usageOfAction = (action: string): string => USAGE[action] ?? 'แก้งานของเรา'
