import type { Keyword, KeywordListCode } from '#contract/account/organisation.ts'
import {
  findKeywordProblem,
  type KeywordProblem,
  MAX_KEYWORDS_PER_REQUEST,
  toKeywordKey,
} from '#contract/matching/keyword.ts'
import { getKeywordProblemText } from '#src/matching/keywords/keyword-problem-text.ts'

export type BulkKeywordLine = { readonly word: string; readonly problem: string | undefined }

export function checkBulkKeywordLines(
  list: KeywordListCode,
  words: readonly string[],
  existing: readonly Keyword[],
): BulkKeywordLine[] {
  const existingKeys = new Set(existing.map(({ word }) => toKeywordKey(word)))
  const seen = new Set<string>()
  return words.map((word, index) => {
    const checked = findKeywordProblem(list, word)
    const key = toKeywordKey(word)
    const isRepeated = seen.has(key)
    seen.add(key)
    if (!checked.ok) return { word, problem: getKeywordProblemText(checked.code) }
    if (existingKeys.has(key)) return { word, problem: getKeywordProblemText('duplicate') }
    if (isRepeated) return { word, problem: getKeywordProblemText('repeated') }
    if (index >= MAX_KEYWORDS_PER_REQUEST) return { word, problem: 'เกินจำนวนที่เพิ่มได้ในครั้งเดียว' }
    return { word, problem: undefined }
  })
}

/** Merges the server's problems, which take precedence. `checkedWords`: the words sent to the server, in order. */
export function addServerProblemsToBulkLines(
  lines: readonly BulkKeywordLine[],
  checkedWords: readonly string[],
  answers: readonly Pick<KeywordProblem, 'index' | 'message'>[],
): BulkKeywordLine[] {
  const problems = new Map(answers.map(({ index, message }) => [checkedWords[index], message]))
  const used = new Set<string>()
  return lines.map((line) => {
    if (line.problem !== undefined || used.has(line.word)) return line
    used.add(line.word)
    return { ...line, problem: problems.get(line.word) }
  })
}
