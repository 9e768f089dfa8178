import type { NoiseLevel, Preview } from '#contract/keyword-impact.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { changeText, NOISE_BAND_TEXT, NOISE_WORDS, perDayText } from './impact-words.ts'
import { NOISE_INKS } from './noise-band.tsx'

const LEVEL_LOOKS: Readonly<Record<NoiseLevel, string>> = {
  too_few: 'bg-updated-soft',
  good: 'bg-new-soft',
  many: 'bg-updated-soft',
  too_many: 'bg-urgent-soft',
}

type ImpactFiguresProps = {
  preview: Pick<Preview, 'days' | 'before' | 'after' | 'added' | 'removed' | 'per_working_day' | 'level'>
}

/** Two figures: what comes and goes, and how much the whole report is then. */
export function ImpactFigures({ preview }: ImpactFiguresProps) {
  const { days, before, after, added, removed, per_working_day, level } = preview
  const goesOnly = removed > 0 && added === 0
  return (
    <dl className="grid grid-cols-2 gap-2">
      <div className={classNames('rounded-control px-3 py-2', goesOnly ? 'bg-urgent-soft' : 'bg-new-soft')}>
        <dt className={classNames('text-xs', goesOnly ? 'text-urgent' : 'text-new')}>
          {days} วันที่ผ่านมา {changeWords(added, removed)}
        </dt>
        <dd className="flex flex-wrap items-baseline gap-x-2 text-xl font-semibold tabular-nums">
          {(added > 0 || removed === 0) && <span className="text-new">{changeText(added)}</span>}
          {removed > 0 && <span className="text-urgent">{changeText(-removed)}</span>}
        </dd>
        <dd className="text-xs text-ink-muted tabular-nums">
          {before === after ? `คงที่ ${countText(after)} โครงการ` : `จาก ${countText(before)} เป็น ${countText(after)}`}
        </dd>
      </div>
      <div className={classNames('rounded-control px-3 py-2', LEVEL_LOOKS[level])}>
        <dt className={classNames('text-xs', NOISE_INKS[level])}>
          ทั้งรายงานวันทำการละ <span className="font-semibold tabular-nums">{perDayText(per_working_day)}</span>
        </dt>
        <dd className={classNames('text-xl font-semibold', NOISE_INKS[level])}>{NOISE_WORDS[level]}</dd>
        <dd className="text-xs text-ink-muted">พอดีคือ {NOISE_BAND_TEXT}</dd>
      </div>
    </dl>
  )
}

function changeWords(added: number, removed: number): string {
  if (added > 0 && removed > 0) return 'จะเพิ่มและเอาออก'
  if (removed > 0) return 'จะเอาออก'
  return added > 0 ? 'จะเพิ่ม' : 'ไม่เปลี่ยน'
}
