import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { searchForm } from '#contract/thai/thai-text.ts'
import { Dictionary, dictionary } from '#server/matching/meaning/dictionary.ts'
import { expandWith } from '#server/matching/meaning/expand-keyword.ts'
import { titleRanker } from '#server/matching/meaning/rank-titles.ts'
import { readTermModel, type TermModel, termModel } from '#server/matching/meaning/term-model.ts'
import { reportAdvice } from './data/advice-figures.ts'
import { reportDeepSearch } from './data/deep-figures.ts'
import { COMPETITIVE, foundBy, readCollection, titlesOfTerms } from './data/meaning-collection.ts'
import { figuresOf, METHODS as MEASURED, meanWithInterval } from './data/meaning-figures.ts'
import {
  afterTicking,
  halfOf,
  isHit,
  type LabelledTitle,
  readLabels,
  type Score,
  scoreOf,
} from './data/meaning-labels.ts'
import { type KeywordRule, readDevelopmentRules, readKeywordRules } from './data/meaning-rules.ts'
import { reportKeywordSpeed } from './data/speed-figures.ts'

/**
 * How well matching by meaning finds what is wanted, and how fast it is.
 *
 *   npx node bench/meaning.ts [labels.tsv]
 *   npx node bench/meaning.ts --half tune|report|development|all [--each]
 *   npx node bench/meaning.ts --half tune|report --advice
 *   npx node bench/meaning.ts --speed
 *   npx node bench/meaning.ts --keywords FILE --titles CSV --json
 *
 * The first reads picked labels of the development keywords: per keyword and as the mean over keywords, the keyword in letters alone;
 * the terms that act unasked; the same after a user has ticked suggestions. Ticking is simulated: labels are split in two by project, a
 * suggestion is kept when at least 60 % of the titles of one half that hold it are relevant, and the other half is scored; then the
 * halves change places. The same code runs on the shared baseline: its vectors and its dictionary.
 *
 * The second asks sixty keywords that were drawn at random, over 53,736 titles as often as they come. What is
 * chosen is chosen on `tune`, what is told is of `report`. Means over keywords, with 95 % of the draws of as many keywords. Besides, each term judged
 * by the titles that it adds: all of them (`evidence`), and two; and what follows from twenty answers about titles (`twenty`).
 *
 * Of search by meaning (`ai_deep_search__in`) the first also says how many of the first twenty are wanted, and what each threshold leaves.
 *
 * With `--advice`: what the weekly look would tell people of several habits, rightly and wrongly.
 *
 * With `--speed`: the processor time of a keyword expanded, of its evidence over 20,000 titles and of an answer of its lesson, over all keywords.
 *
 * The last prints for each keyword (the first column of FILE) which terms act, all that are offered in their order, and for each the
 * numbers of the titles of the CSV file that hold it; `hits`: what the acting ones find together.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string' },
    advice: { type: 'boolean' },
    each: { type: 'boolean' },
    speed: { type: 'boolean' },
    keywords: { type: 'string' },
    titles: { type: 'string' },
    json: { type: 'boolean' },
  },
})
const shared = path.join(import.meta.dirname, '../../shared/matching')

let labels: Map<string, LabelledTitle[]> = new Map()

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

function reportPickedLabels(): void {
  report('Shipped', termModel(), dictionary())
  if (existsSync(path.join(shared, 'ft100.i8'))) {
    const files = { units: 'vocab.tsv', subword: 'ft100.i8', context: 'ppmi128.i8' }
    const concepts = new Dictionary(readFileSync(path.join(shared, 'concepts.txt'), 'utf8'))
    report('Baseline', readTermModel(shared, files), concepts)
  } else console.log('\nThe shared baseline is not there; nothing to compare with.')
}

/** CPU time of this process, which other work on the machine hardly changes. */
function milliseconds(work: () => void): number {
  const before = process.cpuUsage().user
  work()
  return (process.cpuUsage().user - before) / 1000
}

async function reportSpeed(labels: ReadonlyMap<string, readonly LabelledTitle[]>): Promise<void> {
  const some = [...labels].flatMap(([, titles]) => titles.map(({ compact }) => compact)).slice(0, 5000)
  const words = [...labels.keys()]
  const each = milliseconds(() => words.map((word) => expandWith(termModel(), dictionary(), word))) / words.length
  const rank = await titleRanker('ปรับปรุงระบบกล้องวงจรปิด')
  const ranking = milliseconds(() => some.map(rank))
  console.log(
    `\nCPU: expanding one keyword ${each.toFixed(0)} ms; ranking ${some.length} titles ${ranking.toFixed(0)} ms, ` +
      `${((1000 * ranking) / some.length).toFixed(0)} µs each`,
  )
}

/** Keywords drawn at random, at natural prevalence. Says so and ends when the titles are not there. */
function reportDrawn(half: string, each: boolean): void {
  const titles = readCollection(COMPETITIVE)
  if (!titles) {
    console.log(`SKIPPED: the titles that these keywords are asked of are not there: ${COMPETITIVE}`)
    return
  }
  const parts = half === 'all' ? ['tune', 'report', 'development'] : [half]
  const rules = [...readKeywordRules(), ...developmentRules()].filter((rule) => parts.includes(rule.half))
  const all = figuresOf(rules, titles)
  for (const part of parts) {
    const own = all.filter(({ rule }) => rule.half === part)
    console.log(`\n${part}: ${own.length} keywords over ${titles.length} titles; P, R, F1, 95 % of F1`)
    for (const method of MEASURED) {
      const mean = (pick: (score: Score) => number) => meanWithInterval(own.map((one) => pick(one[method])))
      const f1 = mean((score) => score.f1)
      const score = {
        precision: mean((one) => one.precision).mean,
        recall: mean((one) => one.recall).mean,
        f1: f1.mean,
      }
      console.log(`${method.padEnd(10)} ${figures(score)}   ${f1.from.toFixed(2)} to ${f1.to.toFixed(2)}`)
    }
    if (!each) continue
    for (const one of own)
      console.log(
        `${MEASURED.map((method) => one[method].f1.toFixed(2)).join('  ')}  ${one.wanted} ${one.rule.keyword} (${one.rule.trade})`,
      )
  }
}

/** Rules of the development keywords, over which their picked labels win; none where those are not there. */
function developmentRules(): KeywordRule[] {
  const file = path.join(shared, 'labels-dev.tsv')
  if (!existsSync(file)) return []
  const picked = [...readLabels(file)].map(
    ([keyword, list]) => [keyword, new Map(list.map(({ projectId, relevant }) => [projectId, relevant]))] as const,
  )
  return readDevelopmentRules(new Map(picked))
}

/** How well the rules of the development keywords say what their picked labels say: what follows from them is worth as much. */
function reportAgreement(): void {
  const picked = readLabels(path.join(shared, 'labels-dev.tsv'))
  for (const { keyword, isWanted } of readDevelopmentRules(new Map())) {
    const own = picked.get(keyword) ?? []
    const wrong = own.filter(({ relevant, compact }) => isWanted('', compact) !== relevant)
    console.log(`rule of ${keyword}: ${own.length - wrong.length} of ${own.length} picked labels`)
    if (options.each)
      for (const { relevant, compact } of wrong.slice(0, 6))
        console.log(`  ${relevant ? 'wanted' : 'not'}: ${compact.slice(0, 90)}`)
  }
}

function printJson(keywordsFile: string, titlesFile: string): void {
  const titles = readCollection(titlesFile)
  if (!titles) throw new Error(`There are no titles in ${titlesFile}`)
  const lines = readFileSync(keywordsFile, 'utf8').split('\n')
  const keywords = lines.map((line) => line.split('\t')[0]!.trim()).filter((word) => word !== '' && word !== 'keyword')
  const answers = keywords.map((keyword) => ({ keyword, ...expandWith(termModel(), dictionary(), keyword) }))
  const holding = titlesOfTerms(
    titles,
    answers.flatMap(({ terms }) => terms.map(({ term }) => term)),
  )
  const printed = answers.map(({ keyword, known, terms }) => ({
    keyword,
    known,
    acting: terms.filter(({ state }) => state === 'auto').map(({ term, facet }) => ({ term, facet })),
    offered: terms.map((term) => ({ ...term, titles: holding.get(term.term) ?? [] })),
    hits: [
      ...foundBy(
        terms.filter(({ state }) => state === 'auto'),
        holding,
      ),
    ].sort((a, b) => a - b),
  }))
  console.log(JSON.stringify(printed))
}

if (options.json) {
  if (!options.keywords || !options.titles) throw new Error('--json takes --keywords FILE and --titles CSV')
  printJson(options.keywords, options.titles)
} else if (options.speed) {
  const titles = readCollection(COMPETITIVE)
  const rules = [...readKeywordRules(), ...readDevelopmentRules(new Map())]
  if (titles)
    await reportKeywordSpeed(
      rules.map(({ keyword }) => keyword),
      titles,
    )
  else console.log(`SKIPPED: the titles that these keywords are asked of are not there: ${COMPETITIVE}`)
} else if (options.half && options.advice) {
  const titles = readCollection(COMPETITIVE)
  if (titles)
    reportAdvice(
      readKeywordRules().filter(({ half }) => half === options.half),
      titles,
    )
  else console.log(`SKIPPED: the titles that these keywords are asked of are not there: ${COMPETITIVE}`)
} else if (options.half) {
  reportDrawn(options.half, options.each ?? false)
  if (options.half === 'development') reportAgreement()
} else {
  const labelsFile = positionals[0] ?? path.join(shared, 'labels-dev.tsv')
  if (!existsSync(labelsFile))
    throw new Error(`This benchmark reads labelled titles and they are not there: ${labelsFile}`)
  labels = readLabels(labelsFile)
  reportPickedLabels()
  await reportSpeed(labels)
  await reportDeepSearch(labels)
  reportDrawn('report', false)
}
