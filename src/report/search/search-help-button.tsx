import { CircleHelp } from 'lucide-react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'

export function SearchHelpButton() {
  const { buttonProps, popoverProps } = usePopover()
  return (
    <>
      <IconButton {...buttonProps} icon={CircleHelp} label="วิธีค้นหา" size="sm" />
      <Popover {...popoverProps} label="วิธีค้นหา" focus="panel" className="w-[26rem] p-4">
        <SearchHelp />
      </Popover>
    </>
  )
}

const EXAMPLES = [
  ['กล้อง##วงจรปิด', 'มีทั้งสองคำ'],
  ['กล้อง||CCTV', 'มีคำใดคำหนึ่ง'],
  ['กล้อง||CCTV<<ซ่อม', 'มีคำใดคำหนึ่ง แต่ไม่มี ซ่อม'],
  ['(กล้อง||CCTV)##ติดตั้ง', 'วงเล็บบอกว่าอ่านส่วนไหนก่อน'],
  ['<<ซ่อม', 'ทุกโครงการที่ไม่มี ซ่อม'],
  ['"จอ 19 นิ้ว"', 'ตรงตามที่พิมพ์ นับช่องว่างด้วย'],
] as const

function SearchHelp() {
  return (
    <div className="flex flex-col gap-3">
      <p className="font-semibold">วิธีค้นหา</p>
      <p className="text-ink-muted">
        ค้นทั้งชื่อ เลขที่ หน่วยงาน และผู้ชนะ เลือกช่องเดียวได้ทางซ้าย พิมพ์คำแล้วกด Enter เลือก{' '}
        <b className="font-medium text-ink">และ หรือ ไม่เอา</b> สำหรับคำถัดไป คำอยู่ตรงไหนก็พบ ไม่ต้องเว้นวรรค
        ตัวเลขไทยกับอารบิกถือว่าเหมือนกัน วางเลขที่โครงการแล้วกด Enter เพื่อเปิดโครงการนั้น
      </p>
      <p className="text-ink-muted">ถนัดพิมพ์เครื่องหมาย พิมพ์ในช่องค้นแล้วกด Enter ได้เลย หรือกดปุ่ม ( ) เพื่อแก้ทั้งหมดเป็นนิพจน์เดียว</p>
      <p className="text-ink-muted">
        ในชื่อโครงการ <mark>พื้นสี</mark> คือคำที่ค้น และ{' '}
        <u className="underline decoration-watched decoration-2 underline-offset-[0.3em]">ขีดเส้นใต้</u> คือคำติดตาม
      </p>
      <table className="w-full text-sm">
        <caption className="sr-only">ตัวอย่างนิพจน์</caption>
        <tbody>
          {EXAMPLES.map(([expression, meaning]) => (
            <tr key={expression} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 text-left text-sm font-normal whitespace-nowrap">
                {expression}
              </th>
              <td className="py-1.5 text-ink-muted">{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-xs text-ink-faint">
        ## อ่านก่อน || และ || อ่านก่อน &lt;&lt; ถ้าไม่ใส่วงเล็บ · กด / ที่ไหนก็ได้เพื่อมาที่ช่องค้น
      </p>
    </div>
  )
}
