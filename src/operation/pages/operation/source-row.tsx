import { ChevronDown, Database, FolderInput, Rss } from 'lucide-react'
import { useId, useState } from 'react'
import type { OperatedSource } from '#contract/operation/sources.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText, percentText } from '#src/lib/figure-text.ts'
import { thaiDateTimeText } from '#src/lib/thai-day.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { FactItem } from './operation-page.tsx'
import { SourceActions } from './source-actions.tsx'
import { SOURCE_CONDITIONS, sourceConditionOf, timeSpanText } from './source-condition.ts'
import { SourceRounds } from './source-rounds.tsx'
import { SourceStrip } from './source-strip.tsx'

type SourceRowProps = { source: OperatedSource; nowMs: number; today: string }

export function SourceRow({ source, nowMs, today }: SourceRowProps) {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const condition = SOURCE_CONDITIONS[sourceConditionOf(source, nowMs)]
  const Icon = source.coverage ? Rss : source.needs_contact ? Database : FolderInput
  const last = source.rounds[0]
  return (
    <li className="px-4 py-4 lg:px-5">
      <div className="grid grid-cols-2 gap-x-4 gap-y-4 md:grid-cols-3 xl:grid-cols-[13rem_minmax(0,1.4fr)_minmax(0,0.8fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.4fr)_9rem]">
        <div className="col-span-2 flex min-w-0 gap-3 md:col-span-3 xl:col-span-1">
          <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-control bg-surface-muted text-ink-muted">
            <Icon aria-hidden className="size-5" />
          </span>
          <div className="min-w-0">
            <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
              {source.label}
              <Badge tone={condition.tone}>{condition.th}</Badge>
            </h2>
            <p className="text-xs text-ink-muted wrap-anywhere">
              {source.contact === null
                ? source.needs_contact
                  ? 'ยังไม่มีอีเมลติดต่อ'
                  : source.address
                : `ติดต่อ ${source.contact}`}
            </p>
          </div>
        </div>
        <FactItem name="ดึงล่าสุด" value={source.last_run_at === null ? 'ยังไม่เคย' : thaiDateTimeText(source.last_run_at)}>
          {source.last_run_at !== null && `${timeSpanText(nowMs - Date.parse(source.last_run_at))} ที่แล้ว`}
        </FactItem>
        <FactItem name="ใหม่รอบล่าสุด" value={last ? countText(last.new_items) : '–'}>
          รวม {countText(source.came_in_all)} {source.coverage ? 'ประกาศ' : 'แถว'}
        </FactItem>
        <Coverage source={source} />
        <Failures source={source} />
        <NextRun source={source} nowMs={nowMs} />
        <div className="max-md:col-span-2">
          <SourceStrip label={source.label} rounds={source.rounds} today={today} />
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <SourceActions source={source} />
        <Button
          size="sm"
          variant="quiet"
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={() => setOpen(!isOpen)}
          className="ml-auto"
        >
          รอบที่ผ่านมา
          <ChevronDown aria-hidden className={classNames('size-4 transition-transform', isOpen && 'rotate-180')} />
        </Button>
      </div>
      <div id={details} hidden={!isOpen} className="mt-3">
        {isOpen && <SourceRounds source={source} />}
      </div>
    </li>
  )
}

function Coverage({ source: { coverage, files } }: Pick<SourceRowProps, 'source'>) {
  if (!coverage) {
    const readRows = files.reduce((sum, file) => sum + file.rows_read, 0)
    const importedRows = readRows - files.reduce((sum, file) => sum + file.rows_quarantined, 0)
    return (
      <FactItem
        name="แถวที่อ่านได้"
        value={readRows === 0 ? '–' : `${countText(importedRows)} จาก ${countText(readRows)}`}
      />
    )
  }
  const { reached, agencies } = coverage
  const share = agencies === 0 ? 0 : reached / agencies
  return (
    <FactItem name="หน่วยงานใน 7 วัน" value={`${countText(reached)} จาก ${countText(agencies)}`}>
      <span aria-hidden className="mt-1.5 mb-1 block h-1.5 overflow-hidden rounded-full bg-surface-muted">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
      {agencies > 0 && percentText(share)}
    </FactItem>
  )
}

function Failures({ source: { coverage, rounds, files, failure, halted } }: Pick<SourceRowProps, 'source'>) {
  if (halted || failure !== null)
    return (
      <FactItem name="ไม่สำเร็จ" value={halted ? 'ต้นทางปฏิเสธ' : 'ขัดข้อง'} tone="text-urgent">
        {halted?.reason ?? failure}
      </FactItem>
    )
  if (!coverage) {
    const failed = files.filter(({ state }) => state === 'failed').length
    return <FactItem name="ไม่สำเร็จ" value={`${countText(failed)} ไฟล์`} tone={failed > 0 ? 'text-urgent' : undefined} />
  }
  const { timeouts = 0, refusals = 0 } = rounds[0] ?? {}
  const failed = timeouts + refusals
  return (
    <FactItem name="ไม่สำเร็จ" value={countText(failed)} tone={failed > 0 ? 'text-updated' : undefined}>
      {failed > 0 && `ไม่ตอบ ${countText(timeouts)} · ขอให้หยุด ${countText(refusals)}`}
    </FactItem>
  )
}

function NextRun({ source, nowMs }: Pick<SourceRowProps, 'source' | 'nowMs'>) {
  const { progress } = source
  if (progress)
    return (
      <FactItem name="กำลังดึง" value={`${countText(progress.done)} จาก ${countText(progress.total)}`}>
        {progress.seconds_left !== null && `อีกราว ${timeSpanText(progress.seconds_left * 1000)}`}
      </FactItem>
    )
  if (source.next_run_at === null) return <FactItem name="รอบถัดไป" value="–" />
  const wait = Date.parse(source.next_run_at) - nowMs
  return (
    <FactItem name="รอบถัดไป" value={thaiDateTimeText(source.next_run_at)}>
      {wait > 0 ? `อีก ${timeSpanText(wait)}` : 'ถึงเวลาแล้ว'}
    </FactItem>
  )
}
