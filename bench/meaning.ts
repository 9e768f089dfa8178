import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { searchForm } from '#contract/thai/thai-text.ts'
import { Dictionary, dictionary } from '#server/meaning/dictionary.ts'
import { expandWith } from '#server/meaning/expand-keyword.ts'
import { titleRanker } from '#server/meaning/rank-titles.ts'
import { readTermModel, type TermModel, termModel } from '#server/meaning/term-model.ts'
import {
  afterTicking,
  halfOf,
  isHit,
  type LabelledTitle,
  readLabels,
  type Score,
  scoreOf,
} from './data/meaning-labels.ts'

/**
 * How well matching by meaning finds what labelled titles say is wanted, and how fast it is.
 *
 *   npx node bench/meaning.ts [labels.tsv]
 *
 * Per keyword and as the mean over keywords: the keyword in letters alone; the terms that act unasked; the same after a
 * user has ticked suggestions. Ticking is simulated: labels are split in two by project, a suggestion is kept when at least 60 % of
 * the titles of one half that hold it are relevant, and the other half is scored; then the halves change places. The
 * same code runs on the shared baseline: its vectors and its dictionary.
 */
const shared = path.join(import.meta.dirname, '../../shared/matching')
const labelsFile = process.argv[2] ?? path.join(shared, 'labels-dev.tsv')
if (!existsSync(labelsFile))
  throw new Error(`This benchmark reads labelled titles and they are not there: ${labelsFile}`)
const labels = readLabels(labelsFile)

type Scores = { substring: Score; automatic: Score; ticked: Score }

function scoresOf(model: TermModel, concepts: Dictionary, keyword: string, titles: readonly LabelledTitle[]): Scores {
  const literal = searchForm(keyword)
  const { terms } = expandWith(model, concepts, keyword)
  const auto = terms.filter(({ state }) => state === 'auto')
  const halves = ([0, 1] as const).map((half) => {
    const seen = titles.filter(({ projectId }) => halfOf(projectId) !== half)
    return afterTicking(terms, seen)
  })
  return {
    substring: scoreOf(titles, ({ compact }) => compact.includes(literal)),
    automatic: scoreOf(titles, ({ compact }) => isHit(compact, auto)),
    ticked: scoreOf(titles, ({ compact, projectId }) => isHit(compact, halves[halfOf(projectId)]!)),
  }
}

const METHODS = ['substring', 'automatic', 'ticked'] as const
const figures = ({ precision, recall, f1 }: Score) =>
  [precision, recall, f1].map((value) => value.toFixed(2).replace(/^0/, '').padStart(4)).join(' ')

function mean(scores: readonly Score[]): Score {
  const of = (pick: (score: Score) => number) => scores.reduce((sum, score) => sum + pick(score), 0) / scores.length
  return { precision: of(({ precision }) => precision), recall: of(({ recall }) => recall), f1: of(({ f1 }) => f1) }
}

function report(name: string, model: TermModel, concepts: Dictionary): void {
  console.log(`\n${name}: ${model.words.length} units, ${concepts.concepts.length} concepts`)
  console.log(
    `${'P    R    F1'.padEnd(17)}${'P    R    F1'.padEnd(17)}${'P    R    F1'.padEnd(17)}titles, wanted, keyword`,
  )
  console.log(METHODS.map((method) => method.padEnd(17)).join(''))
  const all: Scores[] = []
  for (const [keyword, titles] of labels) {
    const scores = scoresOf(model, concepts, keyword, titles)
    all.push(scores)
    const wanted = titles.filter(({ relevant }) => relevant).length
    console.log(
      `${METHODS.map((method) => figures(scores[method])).join('   ')}   ${titles.length} ${wanted} ${keyword}`,
    )
  }
  const macro = METHODS.map((method) => figures(mean(all.map((scores) => scores[method]))))
  console.log(`${macro.join('   ')}   mean of ${all.length} keywords`)
}

report('Shipped', termModel(), dictionary())
if (existsSync(path.join(shared, 'ft100.i8'))) {
  const files = { units: 'vocab.tsv', subword: 'ft100.i8', context: 'ppmi128.i8' }
  const concepts = new Dictionary(readFileSync(path.join(shared, 'concepts.txt'), 'utf8'))
  report('Baseline', readTermModel(shared, files), concepts)
} else console.log('\nThe shared baseline is not there; nothing to compare with.')

const some = [...labels].flatMap(([, titles]) => titles.map(({ compact }) => compact)).slice(0, 5000)
/** CPU time of this process, which other work on the machine hardly changes. */
const milliseconds = (work: () => void) => {
  const before = process.cpuUsage().user
  work()
  return (process.cpuUsage().user - before) / 1000
}
const words = [...labels.keys()]
const each = milliseconds(() => words.map((word) => expandWith(termModel(), dictionary(), word))) / words.length
const rank = await titleRanker('ปรับปรุงระบบกล้องวงจรปิด')
const ranking = milliseconds(() => some.map(rank))
console.log(
  `\nCPU: expanding one keyword ${each.toFixed(0)} ms; ranking ${some.length} titles ${ranking.toFixed(0)} ms, ` +
    `${((1000 * ranking) / some.length).toFixed(0)} µs each`,
)
