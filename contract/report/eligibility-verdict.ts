export const ELIGIBILITY_VERDICTS = [
  { code: 'eligible', th: 'น่าจะยื่นได้' },
  { code: 'blocked', th: 'ติด' },
  { code: 'unknown', th: 'ยังไม่รู้' },
] as const
export type EligibilityVerdict = (typeof ELIGIBILITY_VERDICTS)[number]['code']

export const getEligibilityLabel = (verdict: EligibilityVerdict): string =>
  ELIGIBILITY_VERDICTS.find(({ code }) => code === verdict)!.th
