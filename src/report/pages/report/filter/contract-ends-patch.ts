import { DEFAULT_CONTRACT_END_DAYS } from '#contract/catalogue/contract-ends-list.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ReportSearchPatch } from '#src/lib/report-change.ts'

/**
 * Returns the change that opens the contract-ends view. Sets the view's filter in the URL, so that counts elsewhere
 * agree with it. Drops the segment, because no project of the view is open for bids.
 */
export const buildContractEndsPatch = ({ ends_within: days }: ReportSearch): ReportSearchPatch => ({
  view: 'contract_ends',
  rows: undefined,
  project_bidding__in: undefined,
  ends_within: days ?? DEFAULT_CONTRACT_END_DAYS,
  page: undefined,
})
