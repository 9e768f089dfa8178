import { z } from 'zod/mini'
import { purchaseHistorySchema } from './purchase-history.ts'

/** Days ahead of a list for which the address names none. */
export const DEFAULT_ENDS_WITHIN = 180
export const CONTRACT_ENDS_A_PAGE = 20

export const contractEndSchema = z.object({
  project_id: z.string(),
  contract_no: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  province: z.nullable(z.string()),
  method: z.string(),
  /** As published. */
  winner_name: z.nullable(z.string()),
  /** Of this contract, baht: its own amount, else the price of its project where that has no other contract. */
  amount: z.nullable(z.number()),
  /** Agreed for all contracts of the project, baht, and how many these are. */
  project_amount: z.nullable(z.number()),
  project_contracts: z.number(),
  signed_date: z.nullable(z.string()),
  end_date: z.string(),
  /** From today in Bangkok. */
  days_left: z.number(),
  history: purchaseHistorySchema,
})
/** What a contract is worth in words; undefined where nothing is known. `format` prints a sum without its unit. */
export function contractAmountText(
  contract: Pick<ContractEnd, 'amount' | 'project_amount' | 'project_contracts'>,
  format: (sum: number) => string,
): string | undefined {
  if (contract.amount !== null) return `${format(contract.amount)} บาท`
  if (contract.project_amount === null || contract.project_contracts < 2) return undefined
  return `รวม ${contract.project_contracts} สัญญาของงานนี้ ${format(contract.project_amount)} บาท`
}

export type ContractEnd = z.output<typeof contractEndSchema>

/**
 * `GET /contract-ends` with the parameters of the report: contracts under way of the projects that the search finds, in both tabs unless it asks for delivered
 * work, that end within `ends_within` days (180 where it is not given); the one that ends first stands first.
 */
export const contractEndsSchema = z.object({
  total: z.number(),
  /** Projects that they are of. */
  projects: z.number(),
  /** What those are worth whose amount is known, baht, and how many these are. */
  value: z.nullable(z.number()),
  n_value: z.number(),
  within: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(contractEndSchema),
  ignored_parameters: z.array(z.string()),
})
export type ContractEnds = z.output<typeof contractEndsSchema>
