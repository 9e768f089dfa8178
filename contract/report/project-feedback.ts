export const PROJECT_FEEDBACK_VERDICTS = [
  { code: 'relevant', th: 'เกี่ยว' },
  { code: 'irrelevant', th: 'ไม่เกี่ยว' },
  { code: 'seen', th: 'เคยเห็นแล้ว' },
] as const satisfies readonly { readonly code: string; readonly th: string }[]
export type ProjectFeedbackVerdict = (typeof PROJECT_FEEDBACK_VERDICTS)[number]['code']

export const NO_FEEDBACK = 'no_feedback'
export type ProjectFeedbackAction = ProjectFeedbackVerdict | typeof NO_FEEDBACK

export const isProjectFeedbackAction = (action: string): action is ProjectFeedbackAction =>
  action === NO_FEEDBACK || PROJECT_FEEDBACK_VERDICTS.some(({ code }) => code === action)
