import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Files, type LucideIcon, School } from 'lucide-react'
import { useState } from 'react'
import type { DataSourceGaps, DataSourceStatus } from '#contract/operation/sources.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { dataSourceGapsQuery } from '#src/operation/api/sources.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'

type Kind = keyof DataSourceGaps
type DataGap = {
  readonly source: DataSourceStatus
  readonly kind: Kind
  readonly icon: LucideIcon
  readonly title: string
  readonly why: string
}

function gapsOf(source: DataSourceStatus): DataGap[] {
  const { coverage, label } = source
  if (!coverage) return []
  const { never, missing, incomplete } = coverage
  const neverAnswered: DataGap = {
    ...{ source, kind: 'never', icon: School },
    title: `${formatCount(never)} หน่วยงานยังไม่เคยตอบ`,
    why: `${label} ยังไม่เคยได้คำตอบของหน่วยงานเหล่านี้ งานของเขาจะเห็นเมื่อมาจากแหล่งอื่น`,
  }
  const cutOff: DataGap = {
    ...{ source, kind: 'incomplete', icon: Files },
    title: `ไม่ครบ ${formatCount(missing)} รายการ จาก ${formatCount(incomplete)} หน่วยงาน`,
    why: 'ต้นทางให้คำตอบละไม่เกิน 20 รายการ หน่วยงานเหล่านี้ประกาศมากกว่านั้นในวันเดียว',
  }
  return [...(never > 0 ? [neverAnswered] : []), ...(missing > 0 ? [cutOff] : [])]
}

export function DataSourceGapList({ sources }: { sources: readonly DataSourceStatus[] }) {
  const [openGap, setOpen] = useState<DataGap>()
  const lacks = sources.flatMap(gapsOf)
  return (
    <SectionCard title="ข้อมูลที่ยังขาด">
      {lacks.length === 0 &&
        (sources.some(({ rounds }) => rounds.length > 0) ? (
          <p className="flex items-center gap-2 text-ink-muted">
            <CircleCheck aria-hidden className="size-5 text-new" />
            เท่าที่รู้ตอนนี้ไม่มีอะไรขาด
          </p>
        ) : (
          <p className="text-ink-muted">ยังไม่รู้ว่าขาดอะไร เพราะยังไม่มีรอบใดเลย</p>
        ))}
      <ul className="divide-y divide-line">
        {lacks.map((lack) => (
          <li key={`${lack.source.source} ${lack.kind}`} className="flex flex-wrap items-start gap-3 py-3">
            <lack.icon aria-hidden className="mt-0.5 size-5 shrink-0 text-updated" />
            <div className="min-w-0 flex-1 basis-56">
              <p className="font-medium">{lack.title}</p>
              <p className="text-sm text-ink-muted">{lack.why}</p>
            </div>
            <Button
              variant="link"
              size="sm"
              onPointerEnter={preloadModal}
              onClick={() => setOpen(lack)}
              of={lack.title}
            >
              ดูรายชื่อ
            </Button>
          </li>
        ))}
      </ul>
      <Modal
        open={openGap !== undefined}
        onClose={() => setOpen(undefined)}
        title={openGap?.title ?? ''}
        description={openGap?.why}
      >
        {openGap && (
          <div className="p-4">
            <GapList source={openGap.source.source} kind={openGap.kind} />
          </div>
        )}
      </Modal>
    </SectionCard>
  )
}

const MAX_SHOWN = 100

function GapList({ source, kind }: { source: string; kind: Kind }) {
  const gaps = useQuery(dataSourceGapsQuery(source))
  return (
    <QueryView query={gaps} task="โหลดรายชื่อ" barsClassName="space-y-2" bars={['h-6', 'h-6']}>
      {(data) => (
        <>
          <ul className="divide-y divide-line">
            {kind === 'never'
              ? data.never.map(({ code, name }) => (
                  <li key={code} className="flex justify-between gap-3 py-1.5">
                    <span className="min-w-0 wrap-anywhere">{name}</span>
                    <span className="text-ink-muted tabular-nums">{code}</span>
                  </li>
                ))
              : data.incomplete.map(({ code, name, type, day, expected, found: actual }) => (
                  <li key={`${code} ${type} ${day}`} className="py-1.5">
                    <p className="wrap-anywhere">{name}</p>
                    <p className="text-sm text-ink-muted tabular-nums">
                      {formatThaiDate(day)} · {type} · ได้ {formatCount(actual)} จาก {formatCount(expected)}
                    </p>
                  </li>
                ))}
          </ul>
          {data[kind].length === MAX_SHOWN && <p className="pt-2 text-sm text-ink-muted">แสดง {MAX_SHOWN} รายการแรก</p>}
        </>
      )}
    </QueryView>
  )
}
