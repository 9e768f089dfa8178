import { Keyboard, X } from 'lucide-react'
import { MORNING_QUEUE_KIND_LABELS, type MorningQueue, type MorningQueueKind } from '#contract/report/morning-queue.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from '#src/ui/icon-button.tsx'

export const MORNING_QUEUE_TITLE = 'ไล่ดูรายการเช้านี้'

const KIND_DOTS: Readonly<Record<MorningQueueKind, string>> = {
  new: 'bg-new',
  updated: 'bg-updated',
  closing: 'bg-urgent',
  comment: 'bg-accent-ink',
}

export function formatQueueTimeSpent(spentMs: number, doneCount: number, leftCount: number): string {
  const minutes = Math.floor(spentMs / 60_000)
  const spentText = minutes === 0 ? 'ใช้ไปไม่ถึง 1 นาที' : `ใช้ไป ${formatCount(minutes)} นาที`
  if (doneCount < 3 || leftCount === 0) return spentText
  return `${spentText} · เหลือราว ${formatCount(Math.max(1, Math.ceil((spentMs / doneCount) * (leftCount / 60_000))))} นาที`
}

type MorningQueueProgress = {
  readonly sections: MorningQueue['sections']
  readonly kind: MorningQueueKind | undefined
  readonly position: number | undefined
  readonly done: number
  readonly total: number
  readonly time: string
}

type QueueHeaderProps = { progress: MorningQueueProgress | undefined; onHelp: () => void; onLeave: () => void }

export function MorningQueueHeader({ progress, onHelp, onLeave }: QueueHeaderProps) {
  return (
    <header className="shrink-0 border-b border-line bg-surface">
      <div className="flex min-h-header items-center gap-x-4 px-4 lg:px-6">
        <h2 className="text-lg font-semibold whitespace-nowrap max-sm:sr-only">{MORNING_QUEUE_TITLE}</h2>
        {progress && <Sections {...progress} className="max-lg:hidden" />}
        {progress && (
          <p className="min-w-0 flex-1 text-ink-muted tabular-nums sm:text-right">
            {progress.position === undefined ? (
              'ครบแล้ว'
            ) : (
              <>
                <b className="font-semibold text-ink">{formatCount(progress.position)}</b> จาก{' '}
                {formatCount(progress.total)}
              </>
            )}
            <span className="whitespace-nowrap text-ink-faint"> · {progress.time}</span>
          </p>
        )}
        <IconButton
          icon={Keyboard}
          label="คีย์ลัด (?)"
          onClick={onHelp}
          className="ml-auto max-sm:hidden pointer-coarse:hidden"
        />
        <IconButton icon={X} label="ออก กลับไปรายงาน (Esc)" onClick={onLeave} className="-mr-2 -ml-3 max-sm:ml-auto" />
      </div>
      {progress ? (
        <Sections {...progress} className="overflow-x-auto px-4 pb-2 lg:hidden" />
      ) : (
        <div aria-hidden className="h-10 lg:h-1" />
      )}
      {progress && (
        <div
          role="progressbar"
          aria-label="ไล่ดูแล้ว"
          aria-valuemin={0}
          aria-valuemax={progress.total}
          aria-valuenow={progress.done}
          aria-valuetext={`${formatCount(progress.done)} จาก ${formatCount(progress.total)} โครงการ`}
          className="h-1 bg-surface-muted forced-colors:border-b"
        >
          <div
            className="h-full origin-left bg-accent transition-transform duration-150 ease-out forced-colors:bg-[Highlight]"
            style={{ transform: `scaleX(${progress.total === 0 ? 1 : progress.done / progress.total})` }}
          />
        </div>
      )}
    </header>
  )
}

type SectionsProps = Pick<MorningQueueProgress, 'sections' | 'kind'> & { className: string }

function Sections({ sections, kind, className }: SectionsProps) {
  return (
    <ul aria-label="ช่วงของรายการ" className={classNames('flex gap-1.5', className)}>
      {sections
        .filter(({ total }) => total > 0)
        .map((section) => (
          <li
            key={section.kind}
            aria-current={section.kind === kind ? 'step' : undefined}
            className={classNames(
              'inline-flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-sm whitespace-nowrap',
              section.kind === kind ? 'border-accent-ink bg-accent-soft text-accent-ink' : 'border-line text-ink-muted',
            )}
          >
            <span aria-hidden className={classNames('size-1.5 rounded-full', KIND_DOTS[section.kind])} />
            {MORNING_QUEUE_KIND_LABELS[section.kind]}
            <span className="font-semibold tabular-nums">{formatCount(section.total)}</span>
            {section.near !== undefined && section.near !== section.total && (
              <span
                className="tabular-nums"
                title={`ภายใน 7 วันมี ${formatCount(section.near)} โครงการ ที่เหลืออยู่ในช่วงใหม่หรืออัปเดต หรือดูไปแล้วก่อนหน้านี้`}
              >
                จาก {formatCount(section.near)}
              </span>
            )}
          </li>
        ))}
    </ul>
  )
}
