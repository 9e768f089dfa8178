import { lazyComponent } from '#src/lib/lazy-component.ts'

export const BarChart = lazyComponent(() => import('#src/ui/chart/bar-chart.tsx'), 'BarChart')
export const ColumnChart = lazyComponent(() => import('#src/ui/chart/column-chart.tsx'), 'ColumnChart')
export const SwimLanes = lazyComponent(() => import('#src/ui/chart/swim-lanes.tsx'), 'SwimLanes')
