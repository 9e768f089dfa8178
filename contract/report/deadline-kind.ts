/** Kinds in the order in which they occur. `contract_end` and later kinds come from contracts. */
export const DEADLINE_KINDS = [
  'bank_letter',
  'comment',
  'question',
  'papers',
  'submission',
  'sample',
  'result',
  'appeal',
  'appeal_decision',
  'appeal_board',
  'signing',
  'contract_end',
  'warranty_end',
  'guarantee_return',
] as const
export type DeadlineKind = (typeof DEADLINE_KINDS)[number]
