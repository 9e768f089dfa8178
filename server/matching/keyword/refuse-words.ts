import { KEYWORD_LIST_FACTS, type KeywordErrors, type KeywordProblem } from '#contract/matching/keyword.ts'
import { ProblemError } from '#server/platform/route/problem.ts'

/** Codes reported as `invalid_brackets`: the expression cannot be parsed (product 6.1). */
const UNREADABLE: ReadonlySet<string> = new Set(['E_BRACKET', 'E_DEPTH', 'E_QUOTE', 'E_OPERAND', 'E_OPERATOR'])
const SHOWN_LETTERS = 40

const shown = (word: string) => (word.length > SHOWN_LETTERS ? `${word.slice(0, SHOWN_LETTERS)}…` : word)

function sentence({ code, word, message }: KeywordProblem): string {
  return code === 'limit' || word.trim() === '' ? message : `“${shown(word)}”: ${message}`
}

export type JudgedProblem = KeywordProblem & { readonly blacklisted?: readonly string[] }

/** Throws 400 for the problems: by list, in general, and by line (specification section 8). No-op without problems. */
export function refuseWords(problems: readonly JudgedProblem[]): void {
  const [first] = problems
  if (!first) return
  const errors: KeywordErrors['errors'] = {}
  for (const list of new Set(problems.map((problem) => problem.list))) {
    const [one, ...others] = problems.filter((problem) => problem.list === list)
    const more = others.length > 0 && one!.code !== 'limit' ? ` และอีก ${others.length} รายการ` : ''
    errors[KEYWORD_LIST_FACTS[list].payload] = sentence(one!) + more
  }
  const blacklisted = problems.flatMap((problem) => problem.blacklisted ?? [])
  if (blacklisted.length > 0) errors.blacklisted_words = [...new Set(blacklisted)]
  const unreadable = problems.filter(({ code }) => UNREADABLE.has(code)).map(({ word }) => word)
  if (unreadable.length > 0) errors.invalid_brackets = [...new Set(unreadable)]
  const lines = problems.map(({ blacklisted: _, ...line }) => line)
  throw new ProblemError('bad_input', { text: sentence(first), details: { errors, lines } })
}

export function refuseField(field: string, text: string): never {
  throw new ProblemError('bad_input', { text, details: { errors: { [field]: text }, lines: [] } })
}
