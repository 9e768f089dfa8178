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

type EventTexts = Readonly<
  Record<string, (event: Pick<PursuitEvent, 'from' | 'to'>, nameOfId: (id: string | null) => string) => string>
>

const EVENT_TEXTS: EventTexts = {
  set_stage: ({ from, to }) =>
    from === null ? `นำขึ้นบอร์ดที่ขั้น “${to}”` : from === to ? 'แก้เหตุผล' : `ย้ายจาก “${from}” ไป “${to}”`,
  decide: ({ from, to }) => (to === null ? 'ยกเลิกการตัดสินใจ' : from === to ? 'แก้เหตุผล' : `ตัดสินใจ${to}`),
  set_owner: ({ from, to }, nameOfId) => `ให้ ${nameOfId(to)} ดูแลแทน ${nameOfId(from)}`,
  set_price: ({ to }) => (to === null ? 'แก้ราคาของเรา' : `ใส่ราคา ${formatBaht(Number(to))} บาท`),
  check_item: ({ to }) => `ทำ “${to}” เสร็จ`,
  uncheck_item: ({ to }) => `กลับไปทำ “${to}” ใหม่`,
  add_item: ({ to }) => `เพิ่มรายการ “${to}”`,
  edit_item: ({ from, to }) => `แก้รายการ “${from}” เป็น “${to}”`,
  assign_item: ({ from, to }, nameOfId) => `มอบ “${from}” ให้ ${nameOfId(to)}`,
  remove_item: ({ from }) => `ลบรายการ “${from}”`,
  add_label: ({ to }) => `ติดป้ายทีม “${to}”`,
  remove_label: ({ from }) => `เอาป้ายทีม “${from}” ออก`,
  carry: ({ from, to }) => `ย้ายการ์ดจากเลขที่ ${from} มาเลขที่ ${to}`,
  comment_draft: ({ to }) => `บันทึกว่าวิจารณ์ร่างแล้วเมื่อ ${formatThaiDateShort(to)}`,
  withdraw_draft_comment: ({ to }) => `ยกเลิกบันทึกว่าวิจารณ์ร่างเมื่อ ${formatThaiDateShort(to)}`,
  remove: () => 'เอางานออกจากบอร์ด',
  add_note: () => 'เขียนโน้ต',
  edit_note: () => 'แก้โน้ต',
  delete_note: () => 'ลบโน้ต',
  pin_note: () => 'ปักหมุดโน้ต',
  unpin_note: () => 'เลิกปักหมุดโน้ต',
}

/** Describes an event in Thai. Amounts may be missing, because the server omits those that the reader may not see. */
export function describePursuitEvent(event: PursuitEvent, members: readonly Colleague[]): string {
  const nameOfId = (id: string | null) => (id === null ? 'ไม่มีใคร' : nameOf(members, Number(id)))
  return EVENT_TEXTS[event.action]?.(event, nameOfId) ?? 'แก้งาน'
}
