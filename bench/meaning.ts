import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { ConceptDictionary, loadConceptDictionary } from '#server/matching/meaning/concept-dictionary.ts'
import { createTitleRanker } from '#server/matching/meaning/create-title-ranker.ts'
import { expandKeywordWithModel } from '#server/matching/meaning/expand-keyword.ts'
import { loadDefaultTermModel, loadTermModel, type TermModel } from '#server/matching/meaning/term-model.ts'
import { reportAdvice } from './data/advice-figures.ts'
import { reportDeepSearch } from './data/deep-figures.ts'
import { COMPETITIVE_FILE, findMatchedTitles, findTitlesByTerm, readCollection } from './data/meaning-collection.ts'
import { computeKeywordFigures, computeMeanWithInterval, METHODS as MEASURED } from './data/meaning-figures.ts'
import {
  computeScore,
  getHalf,
  isHit,
  type LabelledTitle,
  readLabels,
  type Score,
  simulateReview,
} from './data/meaning-labels.ts'
import { type KeywordRule, readClassRules, readDevelopmentRules, readKeywordRules } from './data/meaning-rules.ts'
import { reportKeywordSpeed } from './data/speed-figures.ts'

/**
 * Measures how well matching by meaning finds relevant titles, and how fast it is.
 *
 * `[labels.tsv]` evaluates the picked labels of the development keywords, per keyword and as the mean over keywords:
 * the literal keyword alone; the automatic terms; the same after a user has accepted suggestions. Acceptance is
 * simulated: labels are split in two by project, a suggestion is accepted when at least 60 % of the titles of one half
 * that contain it are relevant, and the other half is scored; then the halves swap. The same code runs on the shared
 * baseline with its vectors and its dictionary.
 *
 * It also reports search by meaning (`ai_deep_search__in`): relevant titles among the first twenty, and what each
 * threshold leaves.
 *
 * `--half tune|class-tune|development|report|class-report|all [--each]` evaluates randomly drawn keywords over 53,736
 * titles at their real frequency: sixty of six trades, and seventy of five classes of misses (`class-`). Parameters are
 * tuned on `tune`, `class-tune` and `development`, results are reported on `report` and `class-report`. Prints means over
 * keywords with 95 % bootstrap intervals, suggestions judged by the titles that they add (the first four, all), each
 * term judged so (`evidence`, and by two titles), and the result of twenty answers about titles (`twenty`).
 *
 * `--half tune|report --advice`: what the weekly advice would tell users of several habits, rightly and wrongly.
 *
 * `--speed`: CPU time of expanding a keyword, of its evidence over 20,000 titles and of one lesson answer, over all
 * keywords.
 *
 * `--keywords FILE --titles CSV --json` prints for each keyword (first column of FILE) the active terms, all offered
 * terms in order, and for each the indexes of the CSV titles that contain it; `hits`: what the active ones match
 * together.
 *
 *   npx node bench/meaning.ts [labels.tsv | options]
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

function scoresOf(
  model: TermModel,
  concepts: ConceptDictionary,
  keyword: string,
  titles: readonly LabelledTitle[],
): Scores {
  const literal = toNormalisedSearchText(keyword)
  const { terms } = expandKeywordWithModel(model, concepts, keyword)
  const auto = terms.filter(({ state }) => state === 'auto')
  const halves = ([0, 1] as const).map((half) => {
    const seen = titles.filter(({ projectId }) => getHalf(projectId) !== half)
    return simulateReview(terms, seen)
  })
  return {
    substring: computeScore(titles, ({ compact }) => compact.includes(literal)),
    automatic: computeScore(titles, ({ compact }) => isHit(compact, auto)),
    ticked: computeScore(titles, ({ compact, projectId }) => isHit(compact, halves[getHalf(projectId)]!)),
  }
}

const METHODS = ['substring', 'automatic', 'ticked'] as const
const figures = ({ precision, recall, f1 }: Score) =>
  [precision, recall, f1].map((value) => value.toFixed(2).replace(/^0/, '').padStart(4)).join(' ')

function mean(scores: readonly Score[]): Score {
  const of = (pick: (score: Score) => number) => scores.reduce((sum, score) => sum + pick(score), 0) / scores.length
  return { precision: of(({ precision }) => precision), recall: of(({ recall }) => recall), f1: of(({ f1 }) => f1) }
}

function report(name: string, model: TermModel, concepts: ConceptDictionary): void {
  console.log(`\n${name}: ${model.words.length} units, ${concepts.concepts.length} concepts`)
  console.log(
    `${'P    R    F1'.padEnd(17)}${'P    R    F1'.padEnd(17)}${'P    R    F1'.padEnd(17)}titles, wanted, keyword`,
  )
  console.log(METHODS.map((method) => method.padEnd(17)).join(''))
  const all: Scores[] = []
  for (const [keyword, titles] of labels) {
    const scores = scoresOf(model, concepts, keyword, titles)
    all.push(scores)
    const relevantCount = titles.filter(({ relevant }) => relevant).length
    console.log(
      `${METHODS.map((method) => figures(scores[method])).join('   ')}   ${titles.length} ${relevantCount} ${keyword}`,
    )
  }
  const macro = METHODS.map((method) => figures(mean(all.map((scores) => scores[method]))))
  console.log(`${macro.join('   ')}   mean of ${all.length} keywords`)
}

function reportPickedLabels(): void {
  report('Shipped', loadDefaultTermModel(), loadConceptDictionary())
  if (existsSync(path.join(shared, 'ft100.i8'))) {
    const files = { units: 'vocab.tsv', subword: 'ft100.i8', context: 'ppmi128.i8' }
    const concepts = new ConceptDictionary(readFileSync(path.join(shared, 'concepts.txt'), 'utf8'))
    report('Baseline', loadTermModel(shared, files), concepts)
  } else console.log('\nThe shared baseline was not found, so there is nothing to compare with.')
}

/** Returns the CPU time of this process, which other load on the machine hardly affects. */
function milliseconds(work: () => void): number {
  const before = process.cpuUsage().user
  work()
  return (process.cpuUsage().user - before) / 1000
}

async function reportSpeed(labels: ReadonlyMap<string, readonly LabelledTitle[]>): Promise<void> {
  const some = [...labels].flatMap(([, titles]) => titles.map(({ compact }) => compact)).slice(0, 5000)
  const words = [...labels.keys()]
  const msPerKeyword =
    milliseconds(() =>
      words.map((word) => expandKeywordWithModel(loadDefaultTermModel(), loadConceptDictionary(), word)),
    ) / words.length
  const rank = await createTitleRanker('ปรับปรุงระบบกล้องวงจรปิด')
  const ranking = milliseconds(() => some.map(rank))
  console.log(
    `\nCPU: expanding one keyword ${msPerKeyword.toFixed(0)} ms; ranking ${some.length} titles ${ranking.toFixed(0)} ms, ` +
      `${((1000 * ranking) / some.length).toFixed(0)} µs each`,
  )
}

/** Means over keywords of several halves, which `--half all` adds. */
const TOGETHER = [
  { name: 'unseen together', members: ['report', 'class-report'] },
  { name: 'development together', members: ['tune', 'class-tune', 'development'] },
]

/** Evaluates randomly drawn keywords at natural prevalence. Skips with a message when the titles are missing. */
function reportDrawn(half: string, printsEach: boolean): void {
  const titles = readCollection(COMPETITIVE_FILE)
  if (!titles) {
    console.log(`SKIPPED: titles for these keywords not found: ${COMPETITIVE_FILE}`)
    return
  }
  const parts = half === 'all' ? ['tune', 'class-tune', 'development', 'report', 'class-report'] : [half]
  const rules = [...readKeywordRules(), ...readClassRules(), ...developmentRules()].filter((rule) =>
    parts.includes(rule.half),
  )
  const all = computeKeywordFigures(rules, titles)
  const groups = parts.map((part) => ({ name: part, members: [part] }))
  if (half === 'all') groups.push(...TOGETHER)
  for (const { name, members } of groups) {
    const partFigures = all.filter(({ rule }) => members.includes(rule.half))
    console.log(`\n${name}: ${partFigures.length} keywords over ${titles.length} titles; P, R, F1, 95 % of F1`)
    for (const method of MEASURED) {
      const mean = (pick: (score: Score) => number) =>
        computeMeanWithInterval(partFigures.map((keywordFigures) => pick(keywordFigures[method])))
      const f1 = mean((score) => score.f1)
      const score = {
        precision: mean((scores) => scores.precision).mean,
        recall: mean((scores) => scores.recall).mean,
        f1: f1.mean,
      }
      console.log(`${method.padEnd(10)} ${figures(score)}   ${f1.from.toFixed(2)} to ${f1.to.toFixed(2)}`)
    }
    if (!printsEach || members.length > 1) continue
    for (const keywordFigures of partFigures)
      console.log(
        `${MEASURED.map((method) => keywordFigures[method].f1.toFixed(2)).join('  ')}  ${keywordFigures.wantedCount} ${keywordFigures.rule.keyword} (${keywordFigures.rule.trade})`,
      )
  }
}

function developmentRules(): KeywordRule[] {
  const file = path.join(shared, 'labels-dev.tsv')
  if (!existsSync(file)) return []
  const picked = [...readLabels(file)].map(
    ([keyword, list]) => [keyword, new Map(list.map(({ projectId, relevant }) => [projectId, relevant]))] as const,
  )
  return readDevelopmentRules(new Map(picked))
}

/**
 * Reports how well the development rules reproduce the picked labels, which bounds how far results based on the rules
 * can be trusted.
 */
function reportAgreement(): void {
  const picked = readLabels(path.join(shared, 'labels-dev.tsv'))
  for (const { keyword, isWanted: isRelevant } of readDevelopmentRules(new Map())) {
    const titleLabels = picked.get(keyword) ?? []
    const wrong = titleLabels.filter(({ relevant, compact }) => isRelevant('', compact) !== relevant)
    console.log(
      `rule of ${keyword}: agrees with ${titleLabels.length - wrong.length} of ${titleLabels.length} picked labels`,
    )
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
  const answers = keywords.map((keyword) => ({
    keyword,
    ...expandKeywordWithModel(loadDefaultTermModel(), loadConceptDictionary(), keyword),
  }))
  const holding = findTitlesByTerm(
    titles,
    answers.flatMap(({ terms }) => terms.map(({ term }) => term)),
  )
  const printed = answers.map(({ keyword, known: isKnown, terms }) => ({
    keyword,
    known: isKnown,
    acting: terms.filter(({ state }) => state === 'auto').map(({ term, facet }) => ({ term, facet })),
    offered: terms.map((term) => ({ ...term, titles: holding.get(term.term) ?? [] })),
    hits: [
      ...findMatchedTitles(
        terms.filter(({ state }) => state === 'auto'),
        holding,
      ),
    ].sort((a, b) => a - b),
  }))
  console.log(JSON.stringify(printed))
}

if (options.json) {
  if (!options.keywords || !options.titles) throw new Error('--json requires --keywords FILE and --titles CSV')
  printJson(options.keywords, options.titles)
} else if (options.speed) {
  const titles = readCollection(COMPETITIVE_FILE)
  const rules = [...readKeywordRules(), ...readDevelopmentRules(new Map())]
  if (titles)
    await reportKeywordSpeed(
      rules.map(({ keyword }) => keyword),
      titles,
    )
  else console.log(`SKIPPED: titles for these keywords not found: ${COMPETITIVE_FILE}`)
} else if (options.half && options.advice) {
  const titles = readCollection(COMPETITIVE_FILE)
  if (titles)
    reportAdvice(
      readKeywordRules().filter(({ half }) => half === options.half),
      titles,
    )
  else console.log(`SKIPPED: titles for these keywords not found: ${COMPETITIVE_FILE}`)
} else if (options.half) {
  reportDrawn(options.half, options.each ?? false)
  if (options.half === 'development') reportAgreement()
} else {
  const labelsFile = positionals[0] ?? path.join(shared, 'labels-dev.tsv')
  if (!existsSync(labelsFile))
    throw new Error(`labels not found: this benchmark reads labelled titles from ${labelsFile}`)
  labels = readLabels(labelsFile)
  reportPickedLabels()
  await reportSpeed(labels)
  await reportDeepSearch(labels)
  reportDrawn('report', false)
}
