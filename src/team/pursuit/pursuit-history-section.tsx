import type { Colleague } from '#contract/account/pursuit-settings.ts'
import type { PursuitEvent } from '#contract/team/pursuit.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { formatShortThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Collapsible } from '#src/ui/collapsible.tsx'
import type { PursuitSectionProps } from './pursuit-section-props.ts'

export function PursuitHistorySection({ detail: { history }, settings: { members } }: PursuitSectionProps) {
  return (
    <div className="mt-2 -mb-3 [&>section]:border-0">
      <Collapsible title="ประวัติของงานนี้">
        <ol className="flex flex-col gap-1.5 text-sm">
          {history.map((event) => (
            <li key={event.id}>
              <span className="font-medium">{nameOf(members, event.by)}</span> {describePursuitEvent(event, members)}
              <span className="block text-xs text-ink-muted">{formatShortThaiDateTime(event.at, getServerTime())}</span>
            </li>
          ))}
        </ol>
      </Collapsible>
    </div>
  )
}

const nameOf = (members: readonly Colleague[], id: number | null) =>
  members.find((member) => member.id === id)?.name ?? 'อดีตเพื่อนร่วมงาน'

/** Describes an event in Thai. Amounts may be missing, because the server omits those that the reader may not see. */
export function describePursuitEvent({ action, from, to }: PursuitEvent, members: readonly Colleague[]): string {
  const person = (id: string | null) => (id === null ? 'ไม่มีใคร' : nameOf(members, Number(id)))
  switch (action) {
    case 'set_stage':
      return from === null ? `นำขึ้นบอร์ดที่ขั้น “${to}”` : from === to ? 'แก้เหตุผล' : `ย้ายจาก “${from}” ไป “${to}”`
    case 'decide':
      return to === null ? 'ยกเลิกการตัดสินใจ' : from === to ? 'แก้เหตุผล' : `ตัดสินใจ${to}`
    case 'set_owner':
      return `ให้ ${person(to)} ดูแลแทน ${person(from)}`
    case 'set_price':
      return to === null ? 'แก้ราคาของเรา' : `ใส่ราคา ${formatBaht(Number(to))} บาท`
    case 'check_item':
      return `ทำ “${to}” เสร็จ`
    case 'uncheck_item':
      return `กลับไปทำ “${to}” ใหม่`
    case 'add_item':
      return `เพิ่มรายการ “${to}”`
    case 'edit_item':
      return `แก้รายการ “${from}” เป็น “${to}”`
    case 'assign_item':
      return `มอบ “${from}” ให้ ${person(to)}`
    case 'remove_item':
      return `ลบรายการ “${from}”`
    case 'add_label':
      return `ติดป้ายทีม “${to}”`
    case 'remove_label':
      return `เอาป้ายทีม “${from}” ออก`
    case 'carry':
      return `ย้ายการ์ดจากเลขที่ ${from} มาเลขที่ ${to}`
    case 'comment_draft':
      return `บันทึกว่าวิจารณ์ร่างแล้วเมื่อ ${formatThaiDateShort(to)}`
    case 'withdraw_draft_comment':
      return `ยกเลิกบันทึกว่าวิจารณ์ร่างเมื่อ ${formatThaiDateShort(to)}`
    case 'remove':
      return 'เอางานออกจากบอร์ด'
    default:
      return NOTE_ACTION_TEXTS[action] ?? 'แก้งาน'
  }
}

const NOTE_ACTION_TEXTS: Readonly<Record<string, string>> = {
  add_note: 'เขียนโน้ต',
  edit_note: 'แก้โน้ต',
  delete_note: 'ลบโน้ต',
  pin_note: 'ปักหมุดโน้ต',
  unpin_note: 'เลิกปักหมุดโน้ต',
}
