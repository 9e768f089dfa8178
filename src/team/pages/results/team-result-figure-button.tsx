import type { ReactNode } from 'react'
import { TEAM_RESULT_FIGURES, type TeamResultFigure, type TeamResultGrouping } from '#contract/team/team-results.ts'
import { classNames } from '#src/lib/class-names.ts'

export type OpenTeamResultFigureFn = (
  figure: TeamResultFigure,
  group?: { readonly by: TeamResultGrouping; readonly key: string },
) => void

export const getTeamResultFigureLabel = (figure: TeamResultFigure): string =>
  TEAM_RESULT_FIGURES.find(({ code }) => code === figure)?.th ?? figure

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
