import { lazy } from 'react'

// The figures stand before any chart is there, and a chart that has been turned into its table needs none.
export const BarChart = lazy(() => import('#src/ui/bar-chart.tsx').then((module) => ({ default: module.BarChart })))
export const ColumnChart = lazy(() =>
  import('#src/ui/column-chart.tsx').then((module) => ({ default: module.ColumnChart })),
)
export const SwimLanes = lazy(() => import('#src/ui/swim-lanes.tsx').then((module) => ({ default: module.SwimLanes })))
