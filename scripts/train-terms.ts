import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { TERM_MODEL_FILES, TERM_MODEL_FOLDER } from '#server/matching/meaning/term-model.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { VocabularySegmenter } from '#server/platform/text/vocabulary-segmenter.ts'
import { countTitles } from './term-model/count-titles.ts'
import { flagMeaningfulUnits } from './term-model/drop-names.ts'
import { learnContexts } from './term-model/learn-contexts.ts'
import { countTokens, isFunctionWord, learnPhrases } from './term-model/learn-phrases.ts'
import { quantise } from './term-model/quantise.ts'
import { readHoldout, readTitles } from './term-model/read-titles.ts'

/**
 * Trains the model of similar terms from real titles and writes it to `data/term-model`.
 *
 *   npx node --max-old-space-size=8000 scripts/train-terms.ts [--titles 200000] [--out folder] [--work folder] [--threads 2]
 *
 * Needs `xz` and Debian's `fasttext` (package of that name), and the shared data beside the project. All titles take about
 * half an hour on two cores, nine tenths of it in fastText. `--work` keeps what fastText made; a second run with it skips that step.
 * Everything but fastText gives the same bytes again; fastText does with `--threads 1` only.
 */
const shared = path.join(import.meta.dirname, '../../shared')
const { values: options } = parseArgs({
  options: {
    titles: { type: 'string', default: '2000000' },
    out: { type: 'string', default: TERM_MODEL_FOLDER },
    work: { type: 'string', default: path.join(tmpdir(), 'tamngan-terms') },
    threads: { type: 'string', default: '2' },
  },
})
/** Minimum number of titles that contain a unit (a word or phrase), because vectors of rarer units are noise. */
const MIN_TITLES = 10
/** Lines written at once. All lines together would be half of the maximum string length. */
const LINES_AT_ONCE = 100_000
const CONTEXT_WIDTH = 128
const SUBWORD_WIDTH = 100
const FASTTEXT =
  `-dim ${SUBWORD_WIDTH} -ws 5 -minn 3 -maxn 6 -epoch 5 -neg 5 -minCount ${MIN_TITLES} -verbose 1 -thread ${options.threads}`.split(
    ' ',
  )

const started = Date.now()
const log = (text: string) => console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`)

mkdirSync(options.work, { recursive: true })
const holdout = readHoldout(path.join(shared, 'matching/labels-dev.tsv'))
const source = path.join(shared, 'data/egp-2568-all-1388312.csv.xz')
const { read, titles } = await readTitles(source, holdout, Number(options.titles))
log(`${read} projects, ${titles.length} distinct titles`)

const { words, counts } = vocabularyOf(titles)
const { tokens, lines } = segmentAll(titles)
log(`${words.length} units of ${MIN_TITLES} titles or more, ${tokens.length} tokens`)

const vectors = trainSubwords()
const silent = new Set(words.flatMap((word, id) => (word.length < 2 || isFunctionWord(word) ? [id] : [])))
const contexts = learnContexts(tokens, words.length, silent, CONTEXT_WIDTH, log)

const uses = countTokens(words.length, tokens)
const meaningful = flagMeaningfulUnits(words, uses, tokens)
const shippedIds = words
  .map((_, id) => id)
  .filter((id) => meaningful[id]! && uses[id]! > 0 && vectors.has(fileWord(words[id]!)))
log(`${shippedIds.length} units kept, the others may name a person or only a place`)
write(shippedIds)

function vocabularyOf(all: readonly string[]): { words: string[]; counts: number[] } {
  const corpus = learnPhrases(all, log)
  const countByWord = new Map<string, number>()
  countTokens(corpus.words.length, corpus.tokens).forEach((count, id) => {
    const word = corpus.words[id]!
    countByWord.set(word, (countByWord.get(word) ?? 0) + count)
  })
  const frequent = [...countByWord].filter(([, count]) => count >= MIN_TITLES)
  frequent.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return { words: frequent.map(([word]) => word), counts: frequent.map(([, count]) => count) }
}

/**
 * Segments all titles again with the learned vocabulary, -1 after each: the likeliest segmentation undoes joins made
 * left to right. `lines` is the input of fastText, including text that no unit covers, but no numbers.
 */
function segmentAll(all: readonly string[]): { tokens: Int32Array; lines: string[] } {
  const segmenter = new VocabularySegmenter(words, counts)
  const ids: number[] = []
  const written = all.map((title) => {
    const units = segmenter.segment(title)
    for (const { id } of units) if (id >= 0) ids.push(id)
    ids.push(-1)
    return units
      .filter(({ id, text }) => id >= 0 || !/^\d/.test(text))
      .map(({ text }) => fileWord(text))
      .join(' ')
  })
  return { tokens: Int32Array.from(ids), lines: written }
}

/** Replaces blanks, because fastText ends words at blanks. */
function fileWord(word: string): string {
  return word.replaceAll(' ', '_')
}

function trainSubwords(): Map<string, Float32Array> {
  const input = path.join(options.work, 'titles.txt')
  const output = path.join(options.work, 'subword')
  if (!existsSync(`${output}.vec`)) {
    writeFileSync(input, '')
    for (const slice of splitIntoSlices(lines, LINES_AT_ONCE)) appendFileSync(input, `${slice.join('\n')}\n`)
    log('fastText begins')
    execFileSync('fasttext', ['skipgram', '-input', input, '-output', output, ...FASTTEXT], { stdio: 'inherit' })
    rmSync(`${output}.bin`)
  }
  const vectorByWord = new Map<string, Float32Array>()
  for (const text of readFileSync(`${output}.vec`, 'utf8').split('\n').slice(1)) {
    const parts = text.trimEnd().split(' ')
    if (parts.length === SUBWORD_WIDTH + 1) vectorByWord.set(parts[0]!, Float32Array.from(parts.slice(1), Number))
  }
  log(`${vectorByWord.size} vectors of fastText`)
  return vectorByWord
}

function write(ids: readonly number[]): void {
  const subword = new Int8Array(ids.length * SUBWORD_WIDTH)
  const context = new Int8Array(ids.length * CONTEXT_WIDTH)
  ids.forEach((id, row) => {
    subword.set(quantise(vectors.get(fileWord(words[id]!))!), row * SUBWORD_WIDTH)
    context.set(quantise(contexts.subarray(id * CONTEXT_WIDTH, (id + 1) * CONTEXT_WIDTH)), row * CONTEXT_WIDTH)
  })
  const holding = countTitles(
    titles,
    ids.map((id) => words[id]!),
  )
  log('titles counted')
  mkdirSync(options.out, { recursive: true })
  const file = (name: string) => path.join(options.out, name)
  const rows = ids.map((id, row) => `${words[id]}\t${holding[row]}\t${uses[id]}\n`)
  writeFileSync(file(TERM_MODEL_FILES.units), rows.join(''))
  writeFileSync(file(TERM_MODEL_FILES.subword), subword)
  writeFileSync(file(TERM_MODEL_FILES.context), context)
  writeFileSync(file('facts.json'), `${JSON.stringify({ titles: titles.length, units: ids.length })}\n`)
  for (const name of [TERM_MODEL_FILES.subword, TERM_MODEL_FILES.context])
    log(`${name} ${statSync(file(name)).size} bytes`)
}
