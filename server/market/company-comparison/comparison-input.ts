import { COMPANY_PARAMS, parseCompanySearch } from '#contract/market/company-params.ts'
import { readFlatInput } from '#server/platform/route/flat-input.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

export const MEETING_RESULTS = ['met', 'a_won', 'b_won', 'others_won', 'undecided'] as const
export type MeetingResult = (typeof MEETING_RESULTS)[number]

export function readComparisonInput(query: unknown) {
  return readFlatInput(COMPANY_PARAMS, query, parseCompanySearch)
}

export type MatrixCell = {
  readonly a: number
  readonly b: number
  readonly result: MeetingResult
}

export function readMatrixCell(query: unknown, companyIds: readonly number[]): MatrixCell {
  const { a, b, result } = query as Readonly<Record<string, string | undefined>>
  const meetingResult = MEETING_RESULTS.find((value) => value === result)
  const idOf = (text: string | undefined) => companyIds.find((id) => String(id) === text)
  const [first, second] = [idOf(a), idOf(b)]
  if (meetingResult !== undefined && first !== undefined && second !== undefined && first !== second)
    return { a: first, b: second, result: meetingResult }
  const stranger = 'ต้องเป็นเลขของบริษัทที่นำมาเปรียบเทียบ'
  const fields = {
    ...(first === undefined ? { a: [stranger] } : {}),
    ...(second === undefined ? { b: [stranger] } : second === first ? { b: ['ต้องเป็นคนละบริษัทกับ a'] } : {}),
    ...(meetingResult === undefined ? { result: [`ใช้ได้เฉพาะ ${MEETING_RESULTS.join(', ')}`] } : {}),
  }
  throw new ProblemError('bad_input', { fields })
}
