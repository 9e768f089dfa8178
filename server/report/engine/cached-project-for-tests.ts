import type { CachedProjectRow } from './project-columns.ts'

/** A project without amounts, days or winner. */
export const CACHED_PROJECT: CachedProjectRow = {
  project_id: '',
  name_spaced: '',
  department_id: 1,
  project_province: null,
  status: 'in_progress',
  movement: 'invited',
  criteria: 'price',
  method: 'e_bidding',
  method_type: 'buy',
  is_sme: false,
  is_archived: false,
  budget_satang: null,
  estimate_satang: null,
  winner_satang: null,
  winner_name: null,
  movement_on: null,
  draft_published_on: null,
  draft_discussion_ends_on: null,
  bidding_invited_on: null,
  submission_ends_on: null,
  contract_ends: null,
  winner_announced_on: null,
}
