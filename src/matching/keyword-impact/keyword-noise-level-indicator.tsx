import type { KeywordNoiseLevel } from '#contract/matching/keyword-impact.ts'
import { classNames } from '#src/lib/class-names.ts'
import {
  formatProjectsPerDay,
  KEYWORD_NOISE_LEVEL_LABELS,
  KEYWORD_NOISE_LEVEL_LOOKS,
  KEYWORD_NOISE_THRESHOLD_RANGE_TEXT,
} from './impact-text.ts'

type NoiseBandProps = {
  perWorkingDay: number
  level: KeywordNoiseLevel
  advises?: boolean
}

export function KeywordNoiseLevelIndicator({ perWorkingDay, level, advises = false }: NoiseBandProps) {
  return (
    <span>
      เฉลี่ย <span className="font-semibold text-ink tabular-nums">{formatProjectsPerDay(perWorkingDay)}</span>{' '}
      โครงการใหม่ต่อวันทำการ{' '}
      <span className={classNames('font-medium', KEYWORD_NOISE_LEVEL_LOOKS[level].text)}>
        {KEYWORD_NOISE_LEVEL_LABELS[level]}
      </span>{' '}
      <span className="whitespace-nowrap">({KEYWORD_NOISE_THRESHOLD_RANGE_TEXT})</span>
      {advises && level !== 'good' && ` ${KEYWORD_NOISE_LEVEL_LOOKS[level].advice}`}
    </span>
  )
}
