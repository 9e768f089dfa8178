import { splitIntoScriptRuns } from '#server/platform/text/vocabulary-segmenter.ts'

/**
 * Learns the words and phrases of titles without labels: dictionary words first, then three passes that join neighbours
 * which occur together much more often than by chance (normalised pointwise mutual information).
 */

/** Words of procurement and grammar, which would join everything and hide what is bought. */
const NEVER_JOIN = new Set(
  (
    'ซื้อ จ้าง จัดซื้อ จัดจ้าง จัดหา เหมา จ้างเหมา จำนวน โครงการ ประจำ ประจำปี ปี ปีงบประมาณ งบประมาณ ที่ และ หรือ โดย ใน ของ ' +
    'สำหรับ พร้อม ตาม เพื่อ ให้ แก่ กับ จาก ถึง แห่ง ณ ด้วย ไม่ ตำบล อำเภอ จังหวัด หมู่ หมู่ที่ บ้าน เขต แขวง รายการ คัน เดือน วัน วันที่ ' +
    'เมตร กิโลเมตร กว้าง ยาว หนา ขนาด รวม ช่วง ระหว่าง รหัส เลขที่ ทะเบียน หมายเลข นาย นาง นางสาว ใช้ใน จึง เป็น นี้ ประกวดราคา สอบราคา'
  ).split(' '),
)

/** Returns true for words about procurement and grammar, which say nothing about what is bought. */
export function isFunctionWord(word: string): boolean {
  return NEVER_JOIN.has(word)
}

/** Minimum normalised mutual information of a joined pair, per pass. */
const PASSES = [0.5, 0.45, 0.45] as const
const MAX_PHRASE_LENGTH = 36
const BREAK = -1

type Corpus = { readonly words: string[]; readonly tokens: Int32Array }

/** Splits titles into the platform's dictionary words. -1 ends each title and marks where words must not join. */
function dictionaryTokens(titles: readonly string[]): Corpus {
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  const ids = new Map<string, number>()
  const words: string[] = []
  let tokens = new Int32Array(titles.length * 32)
  let size = 0
  const push = (token: number) => {
    if (size === tokens.length) {
      const wider = new Int32Array(tokens.length * 2)
      wider.set(tokens)
      tokens = wider
    }
    tokens[size] = token
    size += 1
  }
  const idOf = (word: string) => {
    const existing = ids.get(word)
    if (existing !== undefined) return existing
    ids.set(word, words.length)
    return words.push(word) - 1
  }
  for (const title of titles) {
    let end = 0
    let wasThai = true
    for (const run of splitIntoScriptRuns(title)) {
      // Thai words join only when adjacent, Latin words across one blank, and never a Thai word with a Latin one.
      if (run.isThai !== wasThai || run.start !== (run.isThai ? end : end + 1)) push(BREAK)
      if (run.isThai) for (const { segment } of segmenter.segment(run.text)) push(idOf(segment))
      else if (/[a-z]/.test(run.text)) push(idOf(run.text))
      else push(BREAK)
      end = run.start + run.text.length
      wasThai = run.isThai
    }
    push(BREAK)
  }
  return { words, tokens: tokens.slice(0, size) }
}

/** Returns the words of all titles after joining, counted over the final tokens. */
export function learnPhrases(titles: readonly string[], log: (text: string) => void): Corpus {
  const { words, tokens: first } = dictionaryTokens(titles)
  log(`${first.length} tokens, ${words.length} dictionary words`)
  let tokens = first
  for (const threshold of PASSES) {
    const before = words.length
    tokens = joinOnce(words, tokens, threshold)
    log(`${words.length - before} phrases joined, ${tokens.length} tokens left`)
  }
  return { words, tokens }
}

function joinOnce(words: string[], tokens: Int32Array, threshold: number): Int32Array {
  const counts = countTokens(words.length, tokens)
  const minCount = Math.max(8, Math.round(tokens.length / 1_500_000))
  const joinable = words.map((word, id) => counts[id]! >= minCount && !NEVER_JOIN.has(word))
  const pairs = new Map<number, number>()
  const base = words.length
  for (let at = 0; at + 1 < tokens.length; at += 1) {
    const left = tokens[at]!
    const right = tokens[at + 1]!
    if (left < 0 || right < 0 || !joinable[left] || !joinable[right]) continue
    const key = left * base + right
    pairs.set(key, (pairs.get(key) ?? 0) + 1)
  }
  const joined = new Map<number, number>()
  for (const [key, count] of pairs) {
    if (count < minCount) continue
    const left = Math.floor(key / base)
    const right = key % base
    const share = count / tokens.length
    const npmi = Math.log((count * tokens.length) / (counts[left]! * counts[right]!)) / -Math.log(share)
    const word = joinWords(words[left]!, words[right]!)
    if (npmi < threshold || word.length > MAX_PHRASE_LENGTH) continue
    joined.set(key, words.push(word) - 1)
  }
  const merged = new Int32Array(tokens.length)
  let size = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const left = tokens[at]!
    const right = tokens[at + 1] ?? BREAK
    const phrase = left < 0 || right < 0 ? undefined : joined.get(left * base + right)
    merged[size] = phrase ?? left
    size += 1
    if (phrase !== undefined) at += 1
  }
  return merged.slice(0, size)
}

function joinWords(left: string, right: string): string {
  return /^[a-z0-9]/.test(right) ? `${left} ${right}` : left + right
}

export function countTokens(words: number, tokens: Int32Array): Uint32Array {
  const counts = new Uint32Array(words)
  for (const token of tokens) if (token >= 0) counts[token]! += 1
  return counts
}
