import { foldDocumentText } from '#contract/thai/fold-document-text.ts'

const STOP_WORDS: ReadonlySet<string> = new Set(
  `ที่ ของ และ หรือ ใน เป็น คือ อะไร เท่าไร เท่าไหร่ กี่ ไหม ไม่ ต้อง มี ได้ ให้ จะ การ ความ เมื่อ ไร ไหน เมื่อไร เมื่อไหร่ อย่างไร ยังไง ใคร บ้าง ครับ ค่ะ คะ นี้ นั้น กับ จาก
   โดย ถึง ว่า แล้ว ก็ ถ้า หาก ทำ อยู่ ไป มา ซึ่ง หรือไม่ ใช่ เรา ผม ดิฉัน ขอ ช่วย บอก หน่อย เอกสาร โครงการ งาน นาน แค่ เพียง สามารถ the a of is what how`
    .split(/\s/)
    .filter((word) => word !== ''),
)
const MAX_WORDS = 24
const MIN_WORD_LENGTH = 2

export type QuestionWord = {
  readonly folded: string
  /** 2 for a pair of adjacent words, which is more specific than either word. */
  readonly weight: 1 | 2
}

export function extractQuestionWords(question: string): QuestionWord[] {
  const wordsByFolded = new Map<string, QuestionWord>()
  const add = (folded: string, weight: 1 | 2) => {
    if (folded.length >= MIN_WORD_LENGTH && wordsByFolded.size < MAX_WORDS && !wordsByFolded.has(folded))
      wordsByFolded.set(folded, { folded, weight })
  }
  let previousWord = ''
  for (const { segment, isWordLike } of new Intl.Segmenter('th', { granularity: 'word' }).segment(question)) {
    const word = isWordLike && !STOP_WORDS.has(segment.toLowerCase()) ? foldDocumentText(segment).folded : ''
    if (word !== '') add(word, 1)
    if (word !== '' && previousWord !== '') add(previousWord + word, 2)
    previousWord = word
  }
  return [...wordsByFolded.values()]
}

/**
 * Ranks pages by the words of the question they contain, best first; rarer words weigh more. `hits` are indexes into
 * `words`. Drops pages without any hit.
 */
export function rankAnswerCandidatePages<P extends { readonly hits: readonly number[] }>(
  pages: readonly P[],
  words: readonly QuestionWord[],
): P[] {
  const counts = words.map((_, at) => pages.filter(({ hits }) => hits.includes(at)).length)
  const wordScores = words.map(({ weight }, at) => weight * Math.log(1 + pages.length / Math.max(1, counts[at]!)))
  const scored = pages.map((page) => ({ page, score: page.hits.reduce((sum, at) => sum + (wordScores[at] ?? 0), 0) }))
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ page }) => page)
}
