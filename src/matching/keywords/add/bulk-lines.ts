import type { Keyword, KeywordListCode } from '#contract/account/organisation.ts'
import { checkKeyword, type KeywordProblem, keywordKey, MAX_KEYWORDS_PER_REQUEST } from '#contract/matching/keyword.ts'
import { keywordProblemText } from '#src/matching/keywords/problem-text.ts'

export type BulkLine = { readonly word: string; readonly problem: string | undefined }

export function checkBulkLines(
  list: KeywordListCode,
  words: readonly string[],
  existing: readonly Keyword[],
): BulkLine[] {
  const existingKeys = new Set(existing.map(({ word }) => keywordKey(word)))
  const seen = new Set<string>()
  return words.map((word, index) => {
    const checked = checkKeyword(list, word)
    const key = keywordKey(word)
    const isRepeated = seen.has(key)
    seen.add(key)
    if (!checked.ok) return { word, problem: keywordProblemText(checked.code) }
    if (existingKeys.has(key)) return { word, problem: keywordProblemText('duplicate') }
    if (isRepeated) return { word, problem: keywordProblemText('repeated') }
    if (index >= MAX_KEYWORDS_PER_REQUEST) return { word, problem: 'เกินจำนวนที่เพิ่มได้ในครั้งเดียว' }
    return { word, problem: undefined }
  })
}

/** Merges the server's problems, which take precedence. `checkedWords`: the words sent to the server, in order. */
export function withServerProblems(
  lines: readonly BulkLine[],
  checkedWords: readonly string[],
  answers: readonly Pick<KeywordProblem, 'index' | 'message'>[],
): BulkLine[] {
  const problems = new Map(answers.map(({ index, message }) => [checkedWords[index], message]))
  const used = new Set<string>()
  return lines.map((line) => {
    if (line.problem !== undefined || used.has(line.word)) return line
    used.add(line.word)
    return { ...line, problem: problems.get(line.word) }
  })
}
