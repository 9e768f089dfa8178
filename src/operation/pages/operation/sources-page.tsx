import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { DataSourceStatus, DataSourceStatusList } from '#contract/operation/sources.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { dataSourcesQuery } from '#src/operation/api/sources.ts'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import {
  DATA_SOURCE_CONDITIONS,
  type DataSourceCondition,
  formatTimeSpan,
  getDataSourceCondition,
  getNightlyRunOutcomeLabel,
  getNightlyRunStatus,
  type NightlyRunStatus,
} from './data-source-condition.ts'
import { DataSourceGapList } from './data-source-gap-list.tsx'
import { DataSourceRow } from './data-source-row.tsx'
import { NightlyRunStripLegend } from './nightly-run-strip.tsx'
import { OperatorList, OperatorPageFrame } from './operator-page-frame.tsx'

export function OperatorDataSourcesPage() {
  const sources = useQuery(useOptimisticQueryOptions(dataSourcesQuery))
  return (
    <OperatorPageFrame title="แหล่งข้อมูล" query={sources} aside={Conditions} checkedAt={sources.data?.checked_at}>
      {({ sources, checked_at: checkedAt }) => {
        const nowMs = Date.parse(checkedAt)
        const today = getBangkokToday(new Date(nowMs))
        if (sources.length === 0) {
          return <EmptyState icon={TriangleAlert} title="รุ่นนี้ยังไม่มีแหล่งข้อมูลที่ดึงเองได้" />
        }
        return (
          <>
            <SourceProblems sources={sources} nowMs={nowMs} />
            <OperatorList label="แหล่งข้อมูล">
              {sources.map((source) => (
                <DataSourceRow key={source.source} source={source} nowMs={nowMs} today={today} />
              ))}
            </OperatorList>
            <NightlyRunStripLegend />
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
              <DataSourceGapList sources={sources} />
              <LatestNightlyRuns sources={sources} />
            </div>
          </>
        )
      }}
    </OperatorPageFrame>
  )
}

function Conditions(data: DataSourceStatusList) {
  const nowMs = Date.parse(data.checked_at)
  const sources = Object.groupBy(data.sources, (source) => getDataSourceCondition(source, nowMs))
  return (Object.keys(DATA_SOURCE_CONDITIONS) as DataSourceCondition[])
    .filter((condition) => sources[condition])
    .map((condition) => (
      <Badge key={condition} tone={DATA_SOURCE_CONDITIONS[condition].tone}>
        {DATA_SOURCE_CONDITIONS[condition].th} {sources[condition]?.length}
      </Badge>
    ))
}

function SourceProblems({ sources, nowMs }: { sources: readonly DataSourceStatus[]; nowMs: number }) {
  const bad = sources.filter((source) => DATA_SOURCE_CONDITIONS[getDataSourceCondition(source, nowMs)].isBad)
  const sound = sources.filter((source) => getDataSourceCondition(source, nowMs) === 'fine')
  if (sources.every(({ is_on: isOn }) => !isOn))
    return (
      <p className="rounded-card border border-updated-line bg-updated-soft px-4 py-3 text-updated">
        <b className="font-semibold">ยังไม่ได้เปิดแหล่งข้อมูลใดเลย</b> ข้อมูลจะไม่เปลี่ยนจนกว่าจะนำเข้าไฟล์เองหรือเปิดสักแหล่ง
      </p>
    )
  if (bad.length === 0) return null
  return (
    <div
      role="status"
      className="space-y-1 rounded-card border border-urgent-line bg-urgent-soft px-4 py-3 text-urgent"
    >
      {bad.map((source) => (
        <p key={source.source}>
          <b className="font-semibold">{source.label}</b> {problemText(source, nowMs)}
        </p>
      ))}
      {sound.length > 0 && <p className="text-ink-muted">{sound.map(({ label }) => label).join(', ')} ยังปกติ</p>}
    </div>
  )
}

function problemText(source: DataSourceStatus, nowMs: number): string {
  if (source.halted) return `ต้นทางปฏิเสธเมื่อ ${formatThaiDateTime(source.halted.at)} ระบบหยุดถามจนกว่าจะเปิดใหม่`
  if (source.failure !== null) return `ดึงไม่สำเร็จ: ${source.failure}`
  const full = source.coverage?.last_full_night
  return full
    ? `ไม่มีรอบที่ครบมา ${formatTimeSpan(nowMs - Date.parse(full))} ประกาศใหม่อาจยังมาไม่ครบ`
    : 'ยังไม่มีรอบที่ครบเลย ประกาศใหม่อาจยังมาไม่ครบ'
}

const MAX_ROUNDS = 8

const MARK_ICONS: Readonly<Record<NightlyRunStatus, readonly [icon: LucideIcon, tone: string]>> = {
  full: [CircleCheck, 'text-new'],
  partial: [CircleAlert, 'text-updated'],
  failed: [CircleX, 'text-urgent'],
  'under-way': [CircleDashed, 'text-ink-muted'],
  none: [CircleDashed, 'text-ink-faint'],
}

function LatestNightlyRuns({ sources }: { sources: readonly DataSourceStatus[] }) {
  const rounds = sources
    .flatMap(({ source, label, rounds: sourceRounds }) => sourceRounds.map((round) => ({ source, label, round })))
    .toSorted((a, b) => b.round.begun_at.localeCompare(a.round.begun_at))
    .slice(0, MAX_ROUNDS)
  return (
    <SectionCard title="รอบล่าสุด">
      {rounds.length === 0 && <p className="text-ink-muted">ยังไม่มีรอบใดเลย รอบแรกเริ่มเมื่อเปิดแหล่งข้อมูล</p>}
      <ul className="divide-y divide-line">
        {rounds.map(({ source, label, round }) => {
          const [Icon, tone] = MARK_ICONS[getNightlyRunStatus(round)]
          return (
            <li key={`${source} ${round.night}`} className="flex items-start gap-3 py-2.5">
              <Icon aria-hidden className={`mt-0.5 size-4.5 shrink-0 ${tone}`} />
              <div className="min-w-0">
                <p>
                  <span className="font-medium">{label}</span>{' '}
                  <span className="text-ink-muted">{getNightlyRunOutcomeLabel(round)}</span>
                </p>
                <p className="text-sm text-ink-muted tabular-nums">
                  {formatThaiDateTime(round.ended_at ?? round.begun_at)} · ใหม่ {formatCount(round.new_items)} · เปลี่ยน{' '}
                  {formatCount(round.changed_items)}
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </SectionCard>
  )
}
