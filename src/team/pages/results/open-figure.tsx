import type { ReactNode } from 'react'
import { RESULT_FIGURES, type ResultFigure, type ResultGrouping } from '#contract/team/results.ts'
import { classNames } from '#src/lib/class-names.ts'

/** Shows the pursuits behind a figure, of all or of one group. */
export type OpenFigure = (figure: ResultFigure, group?: { readonly by: ResultGrouping; readonly key: string }) => void

export const figureName = (figure: ResultFigure): string =>
  RESULT_FIGURES.find(({ code }) => code === figure)?.th ?? figure

type FigureButtonProps = {
  figure: ResultFigure
  /** Whose, for its accessible name. */
  of: string
  /** How many pursuits it is made of; none: nothing to open. */
  n: number
  onOpen: () => void
  className?: string
  children: ReactNode
}

/** A figure that shows the pursuits it is made of. */
export function FigureButton({ figure, of, n, onOpen, className, children }: FigureButtonProps) {
  if (n === 0) return <span className={classNames('tabular-nums', className)}>{children}</span>
  return (
    <button
      type="button"
      onClick={onOpen}
      className={classNames(
        'rounded-control tabular-nums decoration-line-strong underline-offset-4 hover:underline touch:min-h-11 touch:min-w-8',
        className,
      )}
    >
      {children}
      <span className="sr-only">
        {' '}
        ดูงาน: {figureName(figure)} {of}
      </span>
    </button>
  )
}
