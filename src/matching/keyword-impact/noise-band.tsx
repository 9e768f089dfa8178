import type { NoiseLevel } from '#contract/matching/keyword-impact.ts'
import { classNames } from '#src/lib/class-names.ts'
import { NOISE_ADVICE, NOISE_BAND_TEXT, NOISE_LABELS, perDayText } from './impact-text.ts'

export const NOISE_COLOUR_CLASSES: Readonly<Record<NoiseLevel, string>> = {
  too_few: 'text-updated',
  good: 'text-new',
  many: 'text-updated',
  too_many: 'text-urgent',
}

type NoiseBandProps = {
  perWorkingDay: number
  level: NoiseLevel
  advises?: boolean
}

export function NoiseBand({ perWorkingDay, level, advises = false }: NoiseBandProps) {
  return (
    <span>
      เฉลี่ย <span className="font-semibold text-ink tabular-nums">{perDayText(perWorkingDay)}</span> โครงการใหม่ต่อวันทำการ{' '}
      <span className={classNames('font-medium', NOISE_COLOUR_CLASSES[level])}>{NOISE_LABELS[level]}</span>{' '}
      <span className="whitespace-nowrap">({NOISE_BAND_TEXT})</span>
      {advises && level !== 'good' && ` ${NOISE_ADVICE[level]}`}
    </span>
  )
}
