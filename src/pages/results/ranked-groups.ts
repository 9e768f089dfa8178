import { FEWEST_RANKED, type ResultGroup } from '#contract/pursuit/results.ts'

type Ranked = {
  readonly group: ResultGroup
  /** From 1; equal shares have the same; undefined: too few results are known. */
  readonly rank: number | undefined
}

const decidedOf = ({ won, lost }: ResultGroup) => won + lost

/**
 * Groups in the order of their win rate, as far as enough results are known to compare them; the others follow in the order in which they came, without
 * a rank, so that one win of one bid is not first.
 */
export function rankedGroups(groups: readonly ResultGroup[]): Ranked[] {
  const isEnough = (group: ResultGroup) => decidedOf(group) >= FEWEST_RANKED
  const best = groups
    .filter(isEnough)
    .toSorted((a, b) => b.win_rate! - a.win_rate! || decidedOf(b) - decidedOf(a) || a.name.localeCompare(b.name, 'th'))
  return [
    ...best.map((group) => ({ group, rank: best.findIndex(({ win_rate: rate }) => rate === group.win_rate) + 1 })),
    ...groups.filter((group) => !isEnough(group)).map((group) => ({ group, rank: undefined })),
  ]
}
