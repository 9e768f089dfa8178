import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { Fragment } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import { ProjectViewers } from '#src/report/pursuit/project-viewers.tsx'
import { pursuitQuery } from '#src/team/api/pursuits.ts'
import { combineQueries } from '#src/ui/combine-queries.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { PursuitChecklist } from './pursuit-checklist.tsx'
import { PursuitDecisionSection } from './pursuit-decision-section.tsx'
import { PursuitHistorySection } from './pursuit-history-section.tsx'
import { PursuitNotesSection } from './pursuit-notes-section.tsx'
import { PursuitPriceSection } from './pursuit-price-part.tsx'
import { PursuitStageSection } from './pursuit-stage-section.tsx'

type PursuitBlockProps = {
  row: Pick<ReportRow, 'project_id' | 'estimate_budget'>
  look: 'card' | 'plain'
  onComparePrice?: (baht: number) => void
}

/** Shared by the project page and the peek panel. The demo has no team, so callers check before rendering it. */
export function PursuitPanel({ row, look, onComparePrice }: PursuitBlockProps) {
  const { project_id: id } = row
  const settings = useQuery(pursuitSettingsQuery)
  const detail = useQuery(useOptimisticQueryOptions(pursuitQuery(id)))
  const forbidden = (
    <p className="flex items-center gap-2 text-sm text-ink-muted">
      <Lock aria-hidden className="size-4 shrink-0 text-ink-faint" />
      บัญชีของคุณไม่ได้ใช้ส่วนนี้กับโครงการนี้
    </p>
  )
  return (
    <section
      aria-label="งานของเรา"
      className={classNames(
        'print:hidden',
        look === 'card'
          ? 'rounded-card border border-line bg-surface px-5 pt-4 pb-4'
          : 'mt-4 border-t border-line pt-3',
      )}
    >
      <h2 className="mb-2 text-md font-semibold">งานของเรา</h2>
      <QueryView
        query={combineQueries({ detail, settings })}
        task="เปิดงานของเรา"
        forbidden={forbidden}
        notFound={forbidden}
        barsClassName="flex flex-col gap-3"
        bars={['h-9', 'h-9', 'w-2/3']}
      >
        {({ detail, settings }) => {
          const props = { id, detail, settings }
          return (
            <Fragment key={id}>
              <PursuitDecisionSection {...props} />
              {!detail.pursuit && (
                <p className="mt-2 text-sm text-ink-muted">ตัดสินใจ หรือเลือกขั้นกับผู้ดูแล แล้วงานจะขึ้นบอร์ดของทีม</p>
              )}
              <PursuitStageSection {...props} />
              <PursuitNotesSection {...props} />
              {detail.pursuit && (
                <>
                  <PursuitPriceSection {...props} estimate={row.estimate_budget} onCompare={onComparePrice} />
                  <PursuitChecklist {...props} />
                </>
              )}
              {detail.history.length > 0 && <PursuitHistorySection {...props} />}
            </Fragment>
          )
        }}
      </QueryView>
      <ProjectViewers projectId={id} />
    </section>
  )
}
