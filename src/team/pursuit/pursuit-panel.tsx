import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
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
import type { PursuitSectionProps } from './pursuit-section-props.ts'
import { PursuitStageSection } from './pursuit-stage-section.tsx'

type PursuitBlockProps = {
  row: Pick<ReportRow, 'project_id' | 'estimate_budget'>
  look: 'card' | 'plain'
  onComparePrice?: (baht: number) => void
}

/**
 * The team's work on a project, shared by the project page and the peek panel. The demo has no team, so callers check
 * before rendering it.
 */
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
        {(data) => <Parts key={id} id={id} {...data} estimate={row.estimate_budget} onComparePrice={onComparePrice} />}
      </QueryView>
      <ProjectViewers projectId={id} />
    </section>
  )
}

type PartsProps = PursuitSectionProps & {
  estimate: number | null
  onComparePrice: PursuitBlockProps['onComparePrice'] | undefined
}

function Parts({ estimate, onComparePrice, ...partProps }: PartsProps) {
  const { pursuit, history } = partProps.detail
  return (
    <>
      <PursuitDecisionSection {...partProps} />
      {!pursuit && <p className="mt-2 text-sm text-ink-muted">ตัดสินใจ หรือเลือกขั้นกับผู้ดูแล แล้วงานจะขึ้นบอร์ดของทีม</p>}
      <PursuitStageSection {...partProps} />
      <PursuitNotesSection {...partProps} />
      {pursuit && (
        <>
          <PursuitPriceSection {...partProps} estimate={estimate} onCompare={onComparePrice} />
          <PursuitChecklist {...partProps} />
        </>
      )}
      {history.length > 0 && <PursuitHistorySection {...partProps} />}
    </>
  )
}
