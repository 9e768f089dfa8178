import { findPursuitStage, type PursuitBoardSettings } from '#contract/account/pursuit-settings.ts'
import type { PursuitState } from '#contract/team/apply-pursuit-action.ts'
import { BID_DECISIONS, type PursuitEvent } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'

type EventDescription = Pick<PursuitEvent, 'action' | 'from' | 'to'>

const text = (value: number | null | undefined) => (value === null || value === undefined ? null : String(value))

/** Returns the history entry for an action, with current stage names and without note texts. */
export function describePursuitAction(
  before: PursuitState,
  after: PursuitState,
  action: PursuitAction,
  { stages }: PursuitBoardSettings,
): EventDescription {
  const [pursuitBefore, pursuitAfter] = [before.pursuit, after.pursuit]
  const nameOf = (id: string | undefined) => (id === undefined ? null : (findPursuitStage(stages, id)?.name ?? null))
  const itemText = (state: PursuitState) =>
    ('id' in action ? state.pursuit?.checklist.find(({ id }) => id === action.id)?.text : undefined) ?? null
  const entry = (name: string, from: string | null, to: string | null): EventDescription => ({ action: name, from, to })
  switch (action.action) {
    case 'set_stage':
      return entry('set_stage', nameOf(pursuitBefore?.stage), nameOf(pursuitAfter?.stage))
    case 'decide': {
      const label = (code: string | null | undefined) =>
        BID_DECISIONS.find((decision) => decision.code === code)?.th ?? null
      return entry('decide', label(pursuitBefore?.decision), label(pursuitAfter?.decision))
    }
    case 'set_owner':
      return entry('set_owner', text(pursuitBefore?.owner), text(pursuitAfter?.owner))
    case 'set_price':
      return entry('set_price', text(pursuitBefore?.price), text(pursuitAfter?.price))
    case 'check_item':
      return entry(action.done ? 'check_item' : 'uncheck_item', null, itemText(after))
    case 'assign_item':
      return entry('assign_item', itemText(after), text(action.assignee))
    case 'add_item':
    case 'edit_item':
    case 'remove_item':
      return entry(action.action, itemText(before), itemText(after))
    case 'pin_note':
      return entry(action.pinned ? 'pin_note' : 'unpin_note', null, null)
    default:
      return entry(action.action, null, null)
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
  comment_draft: 'บันทึกจดหมายวิจารณ์ร่าง',
  withdraw_draft_comment: 'ยกเลิกจดหมายวิจารณ์ร่าง',
}

export const getPursuitActionUsageText = (action: string): string => USAGE[action] ?? 'แก้งานของเรา'
