import { rankSemanticSearchHits } from '#server/report/deep/run-deep-search.ts'
import { COMPETITIVE_FILE, type CollectedTitle, readCollection } from './meaning-collection.ts'
import { computeMeanWithInterval } from './meaning-figures.ts'
import type { LabelledTitle } from './meaning-labels.ts'
import { readKeywordRules } from './meaning-rules.ts'

const PAGE = 20
const THRESHOLDS = [0, 55, 70, 80] as const

type Title = Pick<CollectedTitle, 'projectId' | 'compact'>
type DeepFigures = {
  /** Relevant titles on the first page, divided by the most relevant titles that the page could show. */
  readonly firstPage: number
  readonly atThresholds: readonly { readonly precision: number; readonly recall: number }[]
}

async function deepFiguresOf<T extends Title>(
  keyword: string,
  titles: readonly T[],
  isWanted: (title: T) => boolean,
): Promise<DeepFigures> {
  const candidates = titles.map(({ compact }, index) => ({ project_id: String(index), name_search: compact }))
  const hits = await rankSemanticSearchHits(keyword, candidates)
  const order = [...hits]
    .sort(([a, hitA], [b, hitB]) => hitB.score - hitA.score || Number(b) - Number(a))
    .map(([id, { score }]) => ({ score, isRight: isWanted(titles[Number(id)]!) }))
  const wantedCount = titles.filter(isWanted).length
  const right = (list: readonly { isRight: boolean }[]) => list.filter(({ isRight }) => isRight).length
  return {
    firstPage: right(order.slice(0, PAGE)) / Math.min(PAGE, wantedCount),
    atThresholds: THRESHOLDS.map((from) => {
      const list = order.filter(({ score }) => Math.round(score * 100) >= from)
      return { precision: list.length === 0 ? 0 : right(list) / list.length, recall: right(list) / wantedCount }
    }),
  }
}

function print(name: string, all: readonly DeepFigures[]): void {
  const page = computeMeanWithInterval(all.map(({ firstPage }) => firstPage))
  const mean = (pick: (figures: DeepFigures) => number) =>
    (all.reduce((sum, figures) => sum + pick(figures), 0) / all.length).toFixed(2)
  const thresholdLines = THRESHOLDS.map(
    (from, at) =>
      `from ${from} %: P ${mean((figures) => figures.atThresholds[at]!.precision)} R ${mean((figures) => figures.atThresholds[at]!.recall)}`,
  )
  const interval = `${page.from.toFixed(2)} to ${page.to.toFixed(2)}`
  console.log(`deep search, ${name}: P@${PAGE} ${page.mean.toFixed(2)} (${interval}); ${thresholdLines.join('; ')}`)
}

/**
 * Reports search by meaning on the labels of the development keywords and, when available, on drawn keywords over all
 * titles.
 */
export async function reportDeepSearch(labels: ReadonlyMap<string, readonly LabelledTitle[]>): Promise<void> {
  const picked: DeepFigures[] = []
  for (const [keyword, titles] of labels) picked.push(await deepFiguresOf(keyword, titles, ({ relevant }) => relevant))
  print(`${picked.length} development keywords, picked labels`, picked)
  const titles = readCollection(COMPETITIVE_FILE)
  if (!titles) return console.log(`SKIPPED: titles for the drawn keywords not found: ${COMPETITIVE_FILE}`)
  for (const half of ['tune', 'report'] as const) {
    const drawn: DeepFigures[] = []
    for (const rule of readKeywordRules().filter((candidate) => candidate.half === half))
      drawn.push(
        await deepFiguresOf(rule.keyword, titles, ({ projectId, compact }) => rule.isWanted(projectId, compact)),
      )
    print(`${half}, ${drawn.length} keywords over ${titles.length} titles`, drawn)
  }
}
