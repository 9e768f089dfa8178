import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { VocabularySegmenter } from '#server/meaning/segment.ts'
import { MODEL_FILES, MODEL_FOLDER } from '#server/meaning/term-model.ts'
import { countTitles } from './term-model/count-titles.ts'
import { meaningfulUnits } from './term-model/drop-names.ts'
import { learnContexts } from './term-model/learn-contexts.ts'
import { countWords, isFunctionWord, learnPhrases } from './term-model/learn-phrases.ts'
import { quantise } from './term-model/quantise.ts'
import { readHoldout, readTitles } from './term-model/read-titles.ts'

/**
 * Trains the model of similar terms from real titles and writes it to `server/meaning/model`.
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
    out: { type: 'string', default: MODEL_FOLDER },
    work: { type: 'string', default: path.join(tmpdir(), 'tamngan-terms') },
    threads: { type: 'string', default: '2' },
  },
})
/** Units of fewer titles have vectors of noise. */
const LEAST_TITLES = 10
const CONTEXT_WIDTH = 128
const SUBWORD_WIDTH = 100
const FASTTEXT =
  `skipgram -dim ${SUBWORD_WIDTH} -ws 5 -minn 3 -maxn 6 -epoch 5 -neg 5 -minCount ${LEAST_TITLES} -verbose 1 -thread ${options.threads}`.split(
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
const tokens = segmentAll(titles)
log(`${words.length} units of ${LEAST_TITLES} titles or more, ${tokens.length} tokens`)

const vectors = trainSubwords(tokens)
const silent = new Set(words.flatMap((word, id) => (word.length < 2 || isFunctionWord(word) ? [id] : [])))
const contexts = learnContexts(tokens, words.length, silent, CONTEXT_WIDTH, log)

const uses = countWords(words.length, tokens)
const meaningful = meaningfulUnits(words, uses, tokens)
const kept = words
  .map((_, id) => id)
  .filter((id) => meaningful[id]! && uses[id]! > 0 && vectors.has(fileWord(words[id]!)))
log(`${kept.length} units kept, the others may name a person or only a place`)
write(kept)

function vocabularyOf(all: readonly string[]): { words: string[]; counts: number[] } {
  const corpus = learnPhrases(all, log)
  const found = new Map<string, number>()
  countWords(corpus.words.length, corpus.tokens).forEach((count, id) => {
    const word = corpus.words[id]!
    found.set(word, (found.get(word) ?? 0) + count)
  })
  const frequent = [...found].filter(([, count]) => count >= LEAST_TITLES)
  frequent.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return { words: frequent.map(([word]) => word), counts: frequent.map(([, count]) => count) }
}

/** All titles cut again by what was learnt, -1 after each: the likeliest cut undoes joins that were made left to right. */
function segmentAll(all: readonly string[]): Int32Array {
  const segmenter = new VocabularySegmenter(words, counts)
  let found = new Int32Array(all.length * 20)
  let size = 0
  for (const title of all) {
    const units = segmenter.segment(title).filter(({ id }) => id >= 0)
    if (size + units.length + 1 > found.length) {
      const wider = new Int32Array(found.length * 2)
      wider.set(found)
      found = wider
    }
    for (const { id } of units) found[size++] = id
    found[size++] = -1
  }
  return found.slice(0, size)
}

/** A unit as fastText reads it: its words end at blanks. */
function fileWord(word: string): string {
  return word.replaceAll(' ', '_')
}

function trainSubwords(all: Int32Array): Map<string, Float32Array> {
  const input = path.join(options.work, 'titles.txt')
  const output = path.join(options.work, 'subword')
  if (!existsSync(`${output}.vec`)) {
    const lines: string[] = []
    let line: string[] = []
    for (const id of all) {
      if (id >= 0) line.push(fileWord(words[id]!))
      else {
        lines.push(line.join(' '))
        line = []
      }
    }
    writeFileSync(input, `${lines.join('\n')}\n`)
    log('fastText begins')
    execFileSync('fasttext', [...FASTTEXT.slice(0, 1), '-input', input, '-output', output, ...FASTTEXT.slice(1)], {
      stdio: 'inherit',
    })
    rmSync(`${output}.bin`)
  }
  const found = new Map<string, Float32Array>()
  for (const text of readFileSync(`${output}.vec`, 'utf8').split('\n').slice(1)) {
    const parts = text.trimEnd().split(' ')
    if (parts.length === SUBWORD_WIDTH + 1) found.set(parts[0]!, Float32Array.from(parts.slice(1), Number))
  }
  log(`${found.size} vectors of fastText`)
  return found
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
  writeFileSync(file(MODEL_FILES.units), rows.join(''))
  writeFileSync(file(MODEL_FILES.subword), subword)
  writeFileSync(file(MODEL_FILES.context), context)
  writeFileSync(file('facts.json'), `${JSON.stringify({ titles: titles.length, units: ids.length })}\n`)
  for (const name of [MODEL_FILES.subword, MODEL_FILES.context]) log(`${name} ${statSync(file(name)).size} bytes`)
}
