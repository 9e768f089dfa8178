import { Link } from '@tanstack/react-router'
import { Building2, ClipboardPaste, type LucideIcon, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { castToRoutePath } from '#src/shell/navigation/nav-tabs.tsx'
import { Card } from '#src/ui/card.tsx'

type EmptyListsProps = {
  onPaste: () => void
  onPickDepartments: () => void
  isLocked: boolean
}

const ROW =
  'flex w-full items-start gap-3 rounded-card border border-line bg-surface p-4 text-left hover:bg-surface-muted disabled:opacity-50'

export function EmptyWatchLists({ onPaste, onPickDepartments, isLocked }: EmptyListsProps) {
  return (
    <Card className="appear p-5">
      <h2 className="text-md font-semibold">ยังไม่มีคำหรือหน่วยงานที่ติดตาม</h2>
      <p className="text-ink-muted">รายงานจะว่างจนกว่าจะมีคำแรก เริ่มแบบไหนก็ได้ แก้ทีหลังได้ทุกอย่าง</p>
      <div className="mt-4 grid gap-3 sm:grid-cols-3">
        <Link to={castToRoutePath('/group-watch')} className={ROW}>
          <StarterText icon={Sparkles} title="เริ่มจากประเภทธุรกิจ">
            บอกว่าขายอะไร แล้วเลือกจากคำที่แนะนำ
          </StarterText>
        </Link>
        <button type="button" disabled={isLocked} onClick={onPaste} className={ROW}>
          <StarterText icon={ClipboardPaste} title="วางรายการคำ">
            มีคำอยู่แล้วใน Excel หรือโปรแกรมเดิม วางทีเดียวได้ทั้งหมด
          </StarterText>
        </button>
        <button type="button" disabled={isLocked} onClick={onPickDepartments} className={ROW}>
          <StarterText icon={Building2} title="เลือกหน่วยงาน">
            ติดตามทุกโครงการของหน่วยงานที่ขายประจำ
          </StarterText>
        </button>
      </div>
    </Card>
  )
}

function StarterText({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <>
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-ink" />
      <span>
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-ink-muted">{children}</span>
      </span>
    </>
  )
}
