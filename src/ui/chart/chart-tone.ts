/**
 * Series colour; 1 to 5 are the companies of a comparison. Position or text always repeats the meaning of the colour.
 */
export type ChartColour = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

// Full class names, because Tailwind finds classes by text search.
const FILL_CLASSES = [
  '',
  'fill-chart-1',
  'fill-chart-2',
  'fill-chart-3',
  'fill-chart-4',
  'fill-chart-5',
  'fill-chart-6',
  'fill-chart-7',
  'fill-chart-8',
]
const STROKE_CLASSES = [
  '',
  'stroke-chart-1',
  'stroke-chart-2',
  'stroke-chart-3',
  'stroke-chart-4',
  'stroke-chart-5',
  'stroke-chart-6',
  'stroke-chart-7',
  'stroke-chart-8',
]
const BACKGROUND_CLASSES = [
  '',
  'bg-chart-1',
  'bg-chart-2',
  'bg-chart-3',
  'bg-chart-4',
  'bg-chart-5',
  'bg-chart-6',
  'bg-chart-7',
  'bg-chart-8',
]

export function getChartColourClasses(tone: ChartColour): { fill: string; stroke: string; background: string } {
  return { fill: FILL_CLASSES[tone]!, stroke: STROKE_CLASSES[tone]!, background: BACKGROUND_CLASSES[tone]! }
}
