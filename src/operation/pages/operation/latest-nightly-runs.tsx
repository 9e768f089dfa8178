import { CircleAlert, CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react'
import type { DataSourceStatus } from '#contract/operation/sources.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Card } from '#src/ui/card.tsx'
import { getNightlyRunOutcomeLabel, getNightlyRunStatus, type NightlyRunStatus } from './data-source-condition.ts'

const MAX_ROUNDS = 8

const MARK_ICONS: Readonly<Record<NightlyRunStatus, readonly [icon: LucideIcon, tone: string]>> = {
  full: [CircleCheck, 'text-new'],
  partial: [CircleAlert, 'text-updated'],
  failed: [CircleX, 'text-urgent'],
  'under-way': [CircleDashed, 'text-ink-muted'],
  none: [CircleDashed, 'text-ink-faint'],
}

export function LatestNightlyRuns({ sources }: { sources: readonly DataSourceStatus[] }) {
  const rounds = sources
    .flatMap(({ source, label, rounds: sourceRounds }) => sourceRounds.map((round) => ({ source, label, round })))
    .toSorted((a, b) => b.round.begun_at.localeCompare(a.round.begun_at))
    .slice(0, MAX_ROUNDS)
  return (
    <Card as="section" aria-labelledby="latest-rounds" className="p-4 lg:p-5">
      <h2 id="latest-rounds" className="border-b border-line pb-3 font-semibold">
        รอบล่าสุด
      </h2>
      {rounds.length === 0 && <p className="pt-3 text-ink-muted">ยังไม่มีรอบใดเลย รอบแรกเริ่มเมื่อเปิดแหล่งข้อมูล</p>}
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
                  {formatThaiDateTime(round.ended_at ?? round.begun_at)} · ใหม่{' '}
                  {formatCountWithSeparators(round.new_items)} · เปลี่ยน {formatCountWithSeparators(round.changed_items)}
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
