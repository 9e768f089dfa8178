import { ProblemError } from '#server/platform/route/route-problem.ts'

export const COMPANY_HEAD_TO_HEAD_RESULTS = ['met', 'a_won', 'b_won', 'others_won', 'undecided'] as const
export type CompanyHeadToHeadResult = (typeof COMPANY_HEAD_TO_HEAD_RESULTS)[number]

export type CompanyComparisonMatrixCell = {
  readonly a: number
  readonly b: number
  readonly result: CompanyHeadToHeadResult
}

export function parseCompanyComparisonMatrixCell(
  query: unknown,
  companyIds: readonly number[],
): CompanyComparisonMatrixCell {
  const { a, b, result } = query as Readonly<Record<string, string | undefined>>
  const meetingResult = COMPANY_HEAD_TO_HEAD_RESULTS.find((value) => value === result)
  const idOf = (text: string | undefined) => companyIds.find((id) => String(id) === text)
  const [first, second] = [idOf(a), idOf(b)]
  if (meetingResult !== undefined && first !== undefined && second !== undefined && first !== second)
    return { a: first, b: second, result: meetingResult }
  const stranger = 'ต้องเป็นเลขของบริษัทที่นำมาเปรียบเทียบ'
  const fields = {
    ...(first === undefined ? { a: [stranger] } : {}),
    ...(second === undefined ? { b: [stranger] } : second === first ? { b: ['ต้องเป็นคนละบริษัทกับ a'] } : {}),
    ...(meetingResult === undefined ? { result: [`ใช้ได้เฉพาะ ${COMPANY_HEAD_TO_HEAD_RESULTS.join(', ')}`] } : {}),
  }
  throw new ProblemError('bad_input', { fields })
}
