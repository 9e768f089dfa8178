import { formatCount } from '#contract/thai/thai-number.ts'
import { PreviousNextButtons } from '#src/report/project-peek/previous-next-buttons.tsx'
import type { AdjacentProjects } from './use-adjacent-projects.ts'

export type AdjacentProjectButtonsProps = {
  neighbours: AdjacentProjects
  onMove: (id: string) => void
  className?: string
}

export function AdjacentProjectButtons({ neighbours, onMove, className }: AdjacentProjectButtonsProps) {
  const { previous, next, position, total } = neighbours
  if (position === undefined) return null
  return (
    <div className={`flex items-center ${className ?? ''}`}>
      <span className="px-1 whitespace-nowrap tabular-nums">
        {formatCount(position)} จาก {formatCount(total)}
      </span>
      <PreviousNextButtons
        onPrevious={previous === undefined ? undefined : () => onMove(previous)}
        onNext={next === undefined ? undefined : () => onMove(next)}
      />
    </div>
  )
}
