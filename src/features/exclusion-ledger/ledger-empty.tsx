import { EyeOff, Undo2 } from 'lucide-react'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { daysWords, type LedgerAddress } from './ledger-address.ts'

type LedgerEmptyProps = { address: LedgerAddress; onChange: (next: LedgerAddress) => void }

/** Why nothing is listed, and where to look next. */
export function LedgerEmpty({ address, onChange }: LedgerEmptyProps) {
  const { days, word, rescued = false, page } = address
  const longer = days === 7 ? 30 : 'all'
  const further = days !== 'all' && (
    <Button onClick={() => onChange({ ...address, days: longer, page: 1 })}>
      {longer === 'all' ? 'ดูทั้งหมด' : `ดู ${longer} วัน`}
    </Button>
  )
  if (page > 1) {
    return (
      <EmptyState
        icon={EyeOff}
        title="ไม่มีโครงการในหน้านี้แล้ว"
        actions={<Button onClick={() => onChange({ ...address, page: 1 })}>ไปหน้าแรก</Button>}
      />
    )
  }
  if (rescued) {
    return (
      <EmptyState icon={Undo2} title="ยังไม่ได้นำโครงการใดกลับเข้ารายงาน" actions={further}>
        โครงการที่กด “นำเข้ารายงาน” จะอยู่ที่นี่ และซ่อนอีกครั้งได้
      </EmptyState>
    )
  }
  if (word !== undefined) {
    return (
      <EmptyState
        icon={EyeOff}
        title={`คำ “${word}” ไม่ได้ซ่อนโครงการใด · ${daysWords(days)}`}
        actions={
          <>
            <Button onClick={() => onChange({ ...address, word: undefined, page: 1 })}>ดูทุกคำ</Button>
            {further}
          </>
        }
      />
    )
  }
  return (
    <EmptyState icon={EyeOff} title={`ไม่มีโครงการถูกซ่อน · ${daysWords(days)}`} actions={further}>
      โครงการที่ตรงกับคำของคุณแต่มีคำที่ไม่รวมอยู่ด้วยจะอยู่ที่นี่ จะได้ไม่พลาดงานที่ต้องการ
    </EmptyState>
  )
}
