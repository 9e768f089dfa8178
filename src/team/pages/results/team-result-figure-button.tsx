import type { ReactNode } from 'react'
import {
  MIN_TEAM_RESULT_SAMPLE_SIZE,
  TEAM_RESULT_FIGURES,
  type TeamResultFigure,
  type TeamResultFigures,
} from '#contract/team/team-results.ts'
import { formatBahtCompact, formatCount, groupDigits } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'

export const getTeamResultFigureLabel = (figure: TeamResultFigure): string =>
  TEAM_RESULT_FIGURES.find(({ code }) => code === figure)?.th ?? figure

export function listTeamResultFigures(figures: TeamResultFigures) {
  const { pursued, bid, won, lost, win_rate, valued, won_value, discount, days_to_decide: days } = figures
  return [
    { figure: 'pursued', n: pursued, text: formatCount(pursued) },
    { figure: 'bid', n: bid, text: formatCount(bid) },
    { figure: 'won', n: won, text: formatCount(won) },
    { figure: 'lost', n: lost, text: formatCount(lost) },
    { figure: 'decided', n: won + lost, text: formatOrUnknown(win_rate, formatPercent) },
    { figure: 'valued', n: valued, text: valued === 0 ? <UnknownValue /> : formatBahtCompact(won_value) },
    ...(discount
      ? [{ figure: 'discounted', n: discount.n, text: formatOrUnknown(discount.median, formatPercent) } as const]
      : []),
    {
      figure: 'timed',
      n: days.n,
      text: formatOrUnknown(days.median, (median) => `${groupDigits(median, 0, 1)} วัน`),
    },
  ] as const
}

/** True for a share or median of too few results, which is shown faintly. */
export const isUncertainFigure = (figure: TeamResultFigure, n: number): boolean =>
  n < MIN_TEAM_RESULT_SAMPLE_SIZE && ['decided', 'discounted', 'timed'].includes(figure)

type FigureButtonProps = {
  figure: TeamResultFigure
  of: string
  /** Number of pursuits behind the figure; 0 disables the button. */
  n: number
  onOpen: () => void
  className?: string
  children: ReactNode
}

export function TeamResultFigureButton({ figure, of, n, onOpen, className, children }: FigureButtonProps) {
  if (n === 0) return <span className={classNames('tabular-nums', className)}>{children}</span>
  return (
    <button
      type="button"
      onClick={onOpen}
      className={classNames(
        'rounded-control [text-align:inherit] tabular-nums decoration-line-strong underline-offset-4 hover:underline touch:min-h-11 touch:min-w-11',
        className,
      )}
    >
      {children}
      <span className="sr-only">
        {' '}
        ดูงาน: {getTeamResultFigureLabel(figure)} {of}
      </span>
    </button>
  )
}
