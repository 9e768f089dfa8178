import { ArrowLeft, CalendarX, ShieldOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { pickReportFilters } from '#src/lib/report-url.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { useLatestDataLoad, useUnsentMorningQueueDecisions } from '#src/report/api/morning-queue-decisions.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { type QueryState, QueryView } from '#src/ui/query-view.tsx'

export const MORNING_QUEUE_COLUMN_CLASSES = 'mx-auto w-[min(860px,100%)] sm:px-4 sm:py-6'

export function MorningQueueChangedNotice({ loadId, onRestart }: { loadId: number | null; onRestart: () => void }) {
  const latest = useLatestDataLoad()
  const unsent = useUnsentMorningQueueDecisions()
  const isOld = loadId !== null && latest?.load_id != null && latest.load_id !== loadId
  return (
    <div role="status">
      {unsent.hasFailed && (
        <Notice tone="updated">ยังบันทึกไม่ได้ {formatCount(unsent.count)} โครงการ กำลังลองใหม่ให้เอง อย่าเพิ่งปิดหน้านี้</Notice>
      )}
      {isOld && (
        <Notice tone="accent">
          <span className="min-w-0 flex-1">
            มีข้อมูลรอบใหม่{latest.data_time === null ? '' : ` ${formatThaiDateTime(latest.data_time)}`} ไล่ดูชุดนี้ต่อให้จบก่อนก็ได้
          </span>
          <Button size="sm" onClick={onRestart}>
            เริ่มชุดใหม่
          </Button>
        </Notice>
      )}
    </div>
  )
}

const TONES = { updated: 'border-updated-line bg-updated-soft', accent: 'border-accent-line bg-accent-soft' }

function Notice({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return (
    <div className={`flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2 lg:px-6 ${TONES[tone]}`}>
      {children}
    </div>
  )
}

/** Screen while there is no project to show: loading, failed, or without the right to see the report. */
export function MorningQueuePlaceholder({ task, query }: { task: string; query: Omit<QueryState<never>, 'data'> }) {
  return (
    <div className={MORNING_QUEUE_COLUMN_CLASSES}>
      <QueryView
        query={{ ...query, data: undefined }}
        task={task}
        barsClassName="flex flex-col gap-4 rounded-card bg-surface p-6"
        bars={['w-1/3', 'w-full', 'w-5/6', 'w-1/2', 'w-full', 'w-2/3', 'w-3/4']}
        forbidden={
          <EmptyState icon={ShieldOff} title="บัญชีนี้ดูรายงานโครงการไม่ได้">
            แพ็กเกจขององค์กรไม่รวมรายงานโครงการ ติดต่อผู้ดูแลขององค์กรเพื่อเปิดใช้
          </EmptyState>
        }
      >
        {() => null}
      </QueryView>
    </div>
  )
}

export function EmptyMorningQueue({ search, onLeave }: { search: ReportSearch; onLeave: () => void }) {
  const { customer_config: config } = useOrganisation()
  const isFiltered = Object.keys(pickReportFilters(search)).length > 0
  return (
    <EmptyState
      icon={CalendarX}
      title={isFiltered ? 'ตัวกรองนี้ไม่มีรายการให้ไล่ดู' : 'ไม่มีรายการใหม่ให้ไล่ดู'}
      actions={
        <Button variant="primary" icon={ArrowLeft} onClick={onLeave}>
          กลับไปรายงาน
        </Button>
      }
    >
      ไม่มีโครงการใหม่ ที่อัปเดต หรือที่จะครบกำหนดใน 7 วัน ข้อมูลรอบถัดไปพร้อมดูหลัง {config.not_allow_end_time.slice(0, 5)} น.
      ของวันถัดไป
    </EmptyState>
  )
}
