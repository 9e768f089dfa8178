import { useQuery } from '@tanstack/react-query'
import type { CoverageMisses } from '#contract/catalogue/coverage.ts'
import { coverageMissesQuery } from '#src/catalogue/api/coverage.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { MISS_REASON_TEXTS, UNKNOWN_REASON_TEXTS } from './coverage-text.ts'

export function CoverageMissList({ day, isFollowed }: { day: string; isFollowed: boolean }) {
  const misses = useQuery(coverageMissesQuery(day, isFollowed))
  return (
    <QueryView
      query={misses}
      task="โหลดรายการที่ขาด"
      barsClassName="space-y-2"
      bars={['h-6', 'h-6']}
      isEmpty={({ total, unlisted, unknown_total }) => total + unlisted.length + unknown_total === 0}
      empty={<p className="text-ink-muted">เท่าที่ต้นทางนับ ไม่มีประกาศใดมาช้าหรือขาดในวันนี้</p>}
    >
      {(data) => <Misses {...data} />}
    </QueryView>
  )
}

function Misses({ items, total, unlisted, unknown, unknown_total }: CoverageMisses) {
  return (
    <div className="space-y-4">
      {items.length > 0 && (
        <section>
          <h4 className="font-semibold">ไม่ทันเช้าแรก {formatCount(total)} ประกาศ</h4>
          <ul className="divide-y divide-line">
            {items.map(({ project_id, title, agency, received_at, reason, detail }) => (
              <li key={`${project_id} ${title}`} className="py-2">
                <p className="font-medium wrap-anywhere">{title}</p>
                <p className="flex flex-wrap gap-x-3 text-sm text-ink-muted">
                  <span>{agency}</span>
                  <ProjectId id={project_id} />
                  <span>{received_at === null ? 'ยังไม่เข้าระบบ' : `เข้าระบบ ${formatThaiDateTime(received_at)}`}</span>
                </p>
                <p className="text-sm text-updated">{[MISS_REASON_TEXTS[reason], detail].filter(Boolean).join(': ')}</p>
              </li>
            ))}
          </ul>
          <Remainder shown={items.length} total={total} />
        </section>
      )}
      {unlisted.length > 0 && (
        <section>
          <h4 className="font-semibold">ต้นทางนับ แต่ไม่แสดงรายการ</h4>
          <p className="text-sm text-ink-muted">ต้นทางให้คำตอบละไม่เกิน 20 รายการ ส่วนที่เกินจึงไม่รู้ทั้งชื่อและเลขที่โครงการ</p>
          <ul className="divide-y divide-line">
            {unlisted.map(({ agency, counted, missing }) => (
              <li key={agency} className="flex flex-wrap justify-between gap-x-3 py-1.5">
                <span className="min-w-0 wrap-anywhere">{agency}</span>
                <span className="text-updated tabular-nums">
                  ขาด {formatCount(missing)} จาก {formatCount(counted)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {unknown.length > 0 && (
        <section>
          <h4 className="font-semibold">ไม่รู้ว่าประกาศกี่รายการ {formatCount(unknown_total)} หน่วยงาน</h4>
          <ul className="divide-y divide-line">
            {unknown.map(({ agency, answered_at, reason }) => (
              <li key={agency} className="flex flex-wrap justify-between gap-x-3 py-1.5">
                <span className="min-w-0 wrap-anywhere">{agency}</span>
                <span className="text-sm text-ink-muted">
                  {UNKNOWN_REASON_TEXTS[reason]}
                  {answered_at !== null && ` · ตอบล่าสุด ${formatThaiDateTime(answered_at)}`}
                </span>
              </li>
            ))}
          </ul>
          <Remainder shown={unknown.length} total={unknown_total} />
        </section>
      )}
    </div>
  )
}

function Remainder({ shown, total }: { shown: number; total: number }) {
  if (shown >= total) return null
  return <p className="pt-2 text-sm text-ink-muted">แสดง {formatCount(shown)} รายการแรก</p>
}
