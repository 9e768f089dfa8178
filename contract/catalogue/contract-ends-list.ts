import { z } from 'zod/mini'
import { purchaseHistorySchema } from './purchase-history.ts'

export const DEFAULT_CONTRACT_END_DAYS = 180
export const CONTRACT_ENDS_PAGE_SIZE = 20

const contractEndSchema = z.object({
  project_id: z.string(),
  contract_no: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  province: z.nullable(z.string()),
  method: z.string(),
  winner_name: z.nullable(z.string()),
  /**
   * In baht: the contract's amount, or the project's price if this is its only contract. `project_amount` is the agreed
   * total over all contracts of the project, `project_contracts` their number.
   */
  amount: z.nullable(z.number()),
  project_amount: z.nullable(z.number()),
  project_contracts: z.number(),
  signed_date: z.nullable(z.string()),
  end_date: z.string(),
  days_left: z.number(),
  history: purchaseHistorySchema,
})
export function formatContractAmount(
  contract: Pick<ContractEnd, 'amount' | 'project_amount' | 'project_contracts'>,
  format: (sum: number) => string,
): string | undefined {
  if (contract.amount !== null) return `${format(contract.amount)} บาท`
  if (contract.project_amount === null || contract.project_contracts < 2) return undefined
  return `รวม ${contract.project_contracts} สัญญาของงานนี้ ${format(contract.project_amount)} บาท`
}

export type ContractEnd = z.output<typeof contractEndSchema>

/**
 * `GET /contract-ends` with the report's parameters: running contracts of the matching projects that end within
 * `ends_within` days (default 180), earliest end first. Covers active and archived projects unless the search is
 * limited to archived ones.
 */
export const contractEndListSchema = z.object({
  total: z.number(),
  projects: z.number(),
  value: z.nullable(z.number()),
  n_value: z.number(),
  amounts_in_doubt: z.optional(z.number()),
  within: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(contractEndSchema),
  ignored_parameters: z.array(z.string()),
})
export type ContractEnds = z.output<typeof contractEndListSchema>
