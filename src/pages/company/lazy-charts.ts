import { lazyPart } from '#src/lib/lazy-part.ts'

// The figures stand before any chart is there, and a chart that has been turned into its table needs none.
export const BarChart = lazyPart(() => import('#src/ui/chart/bar-chart.tsx'), 'BarChart')
export const ColumnChart = lazyPart(() => import('#src/ui/chart/column-chart.tsx'), 'ColumnChart')
export const SwimLanes = lazyPart(() => import('#src/ui/chart/swim-lanes.tsx'), 'SwimLanes')
