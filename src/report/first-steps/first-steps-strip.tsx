import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '#contract/account/user.ts'
import { classNames } from '#src/lib/class-names.ts'
import { enableReportMail } from '#src/report/saved-filters/saved-filter-changes.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { dismissFirstSteps, FIRST_STEPS_PROJECT_COUNT, firstStepsStore } from './first-steps-store.ts'

type FirstStepsStripProps = {
  user: Pick<User, 'id' | 'project_bookmark' | 'is_send_report_email'>
  onQueue: () => void
}

export function FirstStepsStrip({ user, onQueue }: FirstStepsStripProps) {
  const progress = firstStepsStore.useValue()
  if (progress?.user !== user.id) return null
  const seen = progress.seen.length
  const hasStar = user.project_bookmark.length > 0
  const hasMail = user.is_send_report_email
  const isDone = seen >= FIRST_STEPS_PROJECT_COUNT && hasStar && hasMail
  return (
    <aside
      aria-label="เริ่มต้นใช้งาน"
      className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control border border-accent-line bg-accent-soft py-1 pr-1 pl-3 text-sm print:hidden"
    >
      <p className="font-semibold text-accent-ink">{isDone ? 'เริ่มต้นครบแล้ว' : 'เริ่มจากสามอย่างนี้'}</p>
      <ol className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
        <Step isDone={seen >= FIRST_STEPS_PROJECT_COUNT} text={`ไล่ดู ${FIRST_STEPS_PROJECT_COUNT} งาน`}>
          <Button variant="link" size="sm" onClick={onQueue}>
            ไล่ดู {FIRST_STEPS_PROJECT_COUNT} งาน ({seen}/{FIRST_STEPS_PROJECT_COUNT})
          </Button>
        </Step>
        <Step isDone={hasStar} text="ติดดาว 1 งาน">
          <span className="py-1.5">ติดดาว 1 งาน กด ★ ที่งานที่สนใจ</span>
        </Step>
        <Step isDone={hasMail} text="รับสรุปทุกเช้า">
          <Button variant="link" size="sm" onClick={enableReportMail}>
            รับสรุปทุกเช้าทางอีเมล
          </Button>
        </Step>
      </ol>
      <IconButton icon={X} label="ปิดแถบเริ่มต้นใช้งาน" size="sm" onClick={dismissFirstSteps} />
    </aside>
  )
}

function Step({ isDone, text, children }: { isDone: boolean; text: string; children: ReactNode }) {
  return (
    <li className="inline-flex min-h-8 items-center gap-1.5 touch:min-h-11">
      <span
        aria-hidden
        className={classNames(
          'inline-flex size-5 shrink-0 items-center justify-center rounded-full border',
          isDone ? 'border-accent bg-accent text-on-accent' : 'border-line-strong bg-surface',
        )}
      >
        {isDone && <Check className="size-3.5" strokeWidth={3} />}
      </span>
      {isDone ? (
        <span className="text-ink-muted">
          {text}
          <span className="sr-only"> ทำแล้ว</span>
        </span>
      ) : (
        children
      )}
    </li>
  )
}
