import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useChartRovingFocus } from '#src/ui/use-chart-roving-focus.ts'
import { buildChartTimeAxis } from './chart-axis.tsx'

/** Puts the points of a chart in time order, in which arrows move between them, on a time axis. */
export function useTimePlot<Point extends { readonly at: string; readonly text: string }>(
  points: readonly Point[],
  maxTicks: number,
) {
  const isNarrow = useMediaQuery('(width < 48rem)')
  const inOrder = points.toSorted((a, b) => a.at.localeCompare(b.at))
  const focus = useChartRovingFocus(inOrder.length, inOrder.length - 1)
  const dates = inOrder.map(({ at }) => at)
  const readout = focus.active === undefined ? undefined : inOrder[focus.active]?.text
  return { isNarrow, inOrder, focus, readout, axis: buildChartTimeAxis(dates, isNarrow ? 3 : maxTicks) }
}
