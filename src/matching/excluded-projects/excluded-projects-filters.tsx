import { EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ExcludedProjectsResponse } from '#contract/matching/keyword-impact.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { ExcludedProjectsSearch } from '#src/matching/api/keyword-impact.ts'
import { Button } from '#src/ui/button.tsx'
import { TogglePill } from '#src/ui/toggle-pill.tsx'

const EXCLUDED_PROJECTS_PERIOD_OPTIONS = [7, 30, 'all'] as const

export function getExcludedProjectsPeriodLabel(days: ExcludedProjectsSearch['days']): string {
  return days === 'all' ? 'ทั้งหมดในรายงาน' : `${days} วันที่ผ่านมา`
}

type LedgerFiltersProps = {
  address: ExcludedProjectsSearch
  ledger: ExcludedProjectsResponse | undefined
  onChange: (next: ExcludedProjectsSearch) => void
}

const COLLAPSED_COUNT = 10

export function ExcludedProjectsFilters({ address, ledger, onChange }: LedgerFiltersProps) {
  const { days, word, rescued = false } = address
  const [showsAll, setShowsAll] = useState(false)
  const change = (patch: Partial<ExcludedProjectsSearch>) => onChange({ ...address, page: 1, ...patch })
  const isMissing = word !== undefined && ledger?.words.every((item) => item.word !== word) === true
  const words = ledger?.words ?? []
  const visibleWords = showsAll ? words : words.filter((item, index) => index < COLLAPSED_COUNT || item.word === word)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div role="group" aria-label="ย้อนหลัง" className="flex rounded-control bg-surface-muted p-0.5">
          {EXCLUDED_PROJECTS_PERIOD_OPTIONS.map((value) => (
            <Segment key={value} on={value === days} onPress={() => change({ days: value })}>
              {value === 'all' ? 'ทั้งหมด' : `${value} วัน`}
            </Segment>
          ))}
        </div>
        <div role="group" aria-label="แสดง" className="flex rounded-control bg-surface-muted p-0.5">
          <Segment on={!rescued} onPress={() => change({ rescued: undefined, word: undefined })}>
            ถูกซ่อน
          </Segment>
          <Segment on={rescued} onPress={() => change({ rescued: true, word: undefined })}>
            นำเข้ารายงานแล้ว{' '}
            {ledger && ledger.rescued > 0 && (
              <span className="ml-1 text-ink-muted tabular-nums">{formatCount(ledger.rescued)}</span>
            )}
          </Segment>
        </div>
      </div>
      {!rescued && ledger && (ledger.words.length > 0 || isMissing) && (
        <ul aria-label="กรองตามคำที่ไม่รวม" className="flex flex-wrap gap-1.5">
          {visibleWords.map((item) => (
            <li key={`${item.list} ${item.word}`}>
              <WordButton
                on={item.word === word}
                onPress={() => change({ word: item.word === word ? undefined : item.word })}
                count={item.count}
              >
                {item.word}
              </WordButton>
            </li>
          ))}
          {visibleWords.length < ledger.words.length && (
            <li>
              <Button variant="link" size="sm" onClick={() => setShowsAll(true)}>
                ดูอีก {ledger.words.length - visibleWords.length} คำ
              </Button>
            </li>
          )}
          {isMissing && (
            <li>
              <WordButton on onPress={() => change({ word: undefined })} count={0}>
                {word}
              </WordButton>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

function Segment({ on, onPress, children }: { on: boolean; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onPress}
      className={classNames(
        'rounded-[5px] border px-3 py-1 whitespace-nowrap transition-colors touch:min-h-11',
        on ? 'border-line bg-surface font-medium text-ink' : 'border-transparent text-ink-muted hover:text-ink',
      )}
    >
      {children}
    </button>
  )
}

type WordButtonProps = { on: boolean; onPress: () => void; count: number; children: ReactNode }

function WordButton({ on, onPress, count, children }: WordButtonProps) {
  return (
    <TogglePill isOn={on} onClick={onPress} className="text-sm">
      <EyeOff aria-hidden className="size-3.5 shrink-0 text-urgent" />
      <span className="min-w-0 truncate">{children}</span>{' '}
      <span className="font-semibold tabular-nums">{formatCount(count)}</span>
    </TogglePill>
  )
}
