import { rankDeep } from '#server/report/deep/deep-search.ts'
import { COMPETITIVE, type CollectedTitle, readCollection } from './meaning-collection.ts'
import { meanWithInterval } from './meaning-figures.ts'
import type { LabelledTitle } from './meaning-labels.ts'
import { readKeywordRules } from './meaning-rules.ts'

/** Titles on a page that is looked at. */
const PAGE = 20
/** Thresholds that a person may choose, in percent. */
const THRESHOLDS = [0, 55, 70, 80] as const

type Title = Pick<CollectedTitle, 'projectId' | 'compact'>
type DeepFigures = {
  /** Of the first page, how many are wanted: of as many as there are to be found. */
  readonly firstPage: number
  /** At each threshold. */
  readonly kept: readonly { readonly precision: number; readonly recall: number }[]
}

/** What a search by meaning finds among titles, by the code that answers the report. */
async function deepFiguresOf<T extends Title>(
  keyword: string,
  titles: readonly T[],
  isWanted: (title: T) => boolean,
): Promise<DeepFigures> {
  const asked = titles.map(({ compact }, place) => ({ project_id: String(place), name_search: compact }))
  const hits = await rankDeep(keyword, asked)
  const order = [...hits]
    .sort(([a, one], [b, other]) => other.score - one.score || Number(b) - Number(a))
    .map(([id, { score }]) => ({ score, isRight: isWanted(titles[Number(id)]!) }))
  const wanted = titles.filter(isWanted).length
  const right = (list: readonly { isRight: boolean }[]) => list.filter(({ isRight }) => isRight).length
  return {
    firstPage: right(order.slice(0, PAGE)) / Math.min(PAGE, wanted),
    kept: THRESHOLDS.map((from) => {
      const list = order.filter(({ score }) => Math.round(score * 100) >= from)
      return { precision: list.length === 0 ? 0 : right(list) / list.length, recall: right(list) / wanted }
    }),
  }
}

function print(name: string, all: readonly DeepFigures[]): void {
  const page = meanWithInterval(all.map(({ firstPage }) => firstPage))
  const mean = (pick: (one: DeepFigures) => number) =>
    (all.reduce((sum, one) => sum + pick(one), 0) / all.length).toFixed(2)
  const kept = THRESHOLDS.map(
    (from, at) =>
      `from ${from} %: P ${mean((one) => one.kept[at]!.precision)} R ${mean((one) => one.kept[at]!.recall)}`,
  )
  const interval = `${page.from.toFixed(2)} to ${page.to.toFixed(2)}`
  console.log(`deep search, ${name}: P@${PAGE} ${page.mean.toFixed(2)} (${interval}); ${kept.join('; ')}`)
}

/** Search by meaning on the development keywords' labels, and on drawn keywords over all titles, when they are there. */
export async function reportDeepSearch(labels: ReadonlyMap<string, readonly LabelledTitle[]>): Promise<void> {
  const picked: DeepFigures[] = []
  for (const [keyword, titles] of labels) picked.push(await deepFiguresOf(keyword, titles, ({ relevant }) => relevant))
  print(`${picked.length} development keywords, picked labels`, picked)
  const titles = readCollection(COMPETITIVE)
  if (!titles) return console.log(`SKIPPED: the titles for drawn keywords are not there: ${COMPETITIVE}`)
  for (const half of ['tune', 'report'] as const) {
    const drawn: DeepFigures[] = []
    for (const rule of readKeywordRules().filter((one) => one.half === half))
      drawn.push(
        await deepFiguresOf(rule.keyword, titles, ({ projectId, compact }) => rule.isWanted(projectId, compact)),
      )
    print(`${half}, ${drawn.length} keywords over ${titles.length} titles`, drawn)
  }
}
