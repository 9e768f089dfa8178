/** 1 to 5 are the companies of a comparison. Position or text always repeats the meaning of the colour. */
export type ChartColour = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** Classes of a series colour. `src/styles.css` lists them, because Tailwind does not find composed names. */
export const getChartColourClasses = (tone: ChartColour) => ({
  fill: `fill-chart-${tone}`,
  stroke: `stroke-chart-${tone}`,
  background: `bg-chart-${tone}`,
})
