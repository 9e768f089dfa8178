import { labelOf, PROJECT_METHODS } from '#contract/project.ts'
import type { ChartTone } from '#src/ui/chart-tone.ts'

/** Methods that have a lane and a colour of their own; the rest share the last one. */
const MOST_LANES = 5
const OTHERS = 'others'
const TONES: readonly ChartTone[] = [1, 2, 3, 4, 5]
const OTHER_TONE: ChartTone = 8

type Lane = { readonly key: string; readonly label: string; readonly tone: ChartTone }

/** A lane for each method, the most frequent on top. */
export function lanesOf(points: readonly { readonly method: string }[]): {
  lanes: Lane[]
  laneOf: (method: string) => string
} {
  const counts = Map.groupBy(points, ({ method }) => method)
  const methods = [...counts].toSorted(([, a], [, b]) => b.length - a.length).map(([method]) => method)
  const named = methods.slice(0, methods.length > MOST_LANES ? MOST_LANES - 1 : MOST_LANES)
  const lanes = named.map((method, index) => ({
    key: method,
    label: labelOf(PROJECT_METHODS, method),
    tone: TONES[index]!,
  }))
  const others = { key: OTHERS, label: 'วิธีอื่น', tone: OTHER_TONE }
  return {
    lanes: methods.length > named.length ? [...lanes, others] : lanes,
    laneOf: (method) => (named.includes(method) ? method : OTHERS),
  }
}
