import type { KeywordNoiseLevel } from '#contract/matching/keyword-impact.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatProjectsPerDay, KEYWORD_NOISE_LEVELS, KEYWORD_NOISE_THRESHOLD_RANGE_TEXT } from './impact-text.ts'

type NoiseBandProps = { perWorkingDay: number; level: KeywordNoiseLevel; advises?: boolean }

export function KeywordNoiseLevelIndicator({ perWorkingDay, level, advises = false }: NoiseBandProps) {
  const { name, advice, text } = KEYWORD_NOISE_LEVELS[level]
  return (
    <span>
      เฉลี่ย <span className="font-semibold text-ink tabular-nums">{formatProjectsPerDay(perWorkingDay)}</span>{' '}
      โครงการใหม่ต่อวันทำการ <span className={classNames('font-medium', text)}>{name}</span>{' '}
      <span className="whitespace-nowrap">({KEYWORD_NOISE_THRESHOLD_RANGE_TEXT})</span>
      {advises && ` ${advice}`}
    </span>
  )
}
