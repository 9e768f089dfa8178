import { KEYWORD_LIST_RULES, type KeywordErrors, type KeywordProblem } from '#contract/matching/keyword.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

/** Codes reported as `invalid_brackets`, because the expression cannot be parsed (product 6.1). */
const PARSE_ERROR_CODES: ReadonlySet<string> = new Set(['E_BRACKET', 'E_DEPTH', 'E_QUOTE', 'E_OPERAND', 'E_OPERATOR'])
const MAX_QUOTED_LENGTH = 40

const shorten = (word: string) => (word.length > MAX_QUOTED_LENGTH ? `${word.slice(0, MAX_QUOTED_LENGTH)}…` : word)

function problemSentence({ code, word, message }: KeywordProblem): string {
  return code === 'limit' || word.trim() === '' ? message : `“${shorten(word)}”: ${message}`
}

export type CheckedKeywordProblem = KeywordProblem & { readonly blacklisted?: readonly string[] }

/**
 * Throws a 400 error that lists the problems by list, in general, and by line (specification section 8). Does nothing
 * if there are no problems.
 */
export function assertNoKeywordProblems(problems: readonly CheckedKeywordProblem[]): void {
  const [first] = problems
  if (!first) return
  const errors: KeywordErrors['errors'] = {}
  for (const list of new Set(problems.map((problem) => problem.list))) {
    const [firstProblem, ...otherProblems] = problems.filter((problem) => problem.list === list)
    const more =
      otherProblems.length > 0 && firstProblem!.code !== 'limit' ? ` และอีก ${otherProblems.length} รายการ` : ''
    errors[KEYWORD_LIST_RULES[list].payload] = problemSentence(firstProblem!) + more
  }
  const blacklisted = problems.flatMap((problem) => problem.blacklisted ?? [])
  if (blacklisted.length > 0) errors.blacklisted_words = [...new Set(blacklisted)]
  const unreadable = problems.filter(({ code }) => PARSE_ERROR_CODES.has(code)).map(({ word }) => word)
  if (unreadable.length > 0) errors.invalid_brackets = [...new Set(unreadable)]
  const lines = problems.map(({ blacklisted: _, ...line }) => line)
  throw new ProblemError('bad_input', { text: problemSentence(first), details: { errors, lines } })
}

export function throwKeywordFieldError(field: string, text: string): never {
  throw new ProblemError('bad_input', { text, details: { errors: { [field]: text }, lines: [] } })
}
