import { Building2, ClipboardPaste, type LucideIcon, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '#src/ui/card.tsx'

type EmptyListsProps = {
  /** Begins with what the organisation sells; undefined where there is no such screen. */
  templates: ReactNode
  onPaste: () => void
  onPickDepartments: () => void
  isLocked: boolean
}

const ROW =
  'flex w-full items-start gap-3 rounded-card border border-line bg-surface p-4 text-left hover:bg-surface-muted disabled:opacity-50'

/** No word yet: three ways to begin. */
export function EmptyLists({ templates, onPaste, onPickDepartments, isLocked }: EmptyListsProps) {
  return (
    <Card className="appear p-5">
      <h2 className="text-md font-semibold">ยังไม่มีคำหรือหน่วยงานที่ติดตาม</h2>
      <p className="text-ink-muted">รายงานจะว่างจนกว่าจะมีคำแรก เริ่มแบบไหนก็ได้ แก้ทีหลังได้ทุกอย่าง</p>
      <div className="mt-4 grid gap-3 sm:grid-cols-3">
        {templates}
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

/** Classes of the starter that is a link. */
export const STARTER_CLASSES = ROW

/** Inside of a starter. */
export function TemplateStarterText() {
  return (
    <StarterText icon={Sparkles} title="เริ่มจากประเภทธุรกิจ">
      บอกว่าขายอะไร แล้วเลือกจากคำที่แนะนำ
    </StarterText>
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
