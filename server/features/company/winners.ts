import type { CompanyWinners } from '#contract/company.ts'
import type { Db } from '#server/db/db.ts'
import { refOf } from './company-ref.ts'
import { discountOf, winnerName } from './projects.ts'
import { loadWinners } from './queries-winners.ts'

/** Who won lately in an organisation's report. `today`: in Bangkok, ISO. */
export async function companyWinners(db: Db, organisationId: number, today: string): Promise<CompanyWinners> {
  const { from_date, to_date, total, awards } = await loadWinners(db, organisationId, today)
  return {
    from_date,
    to_date,
    total,
    results: awards.map((award) => ({
      company: award.company && refOf(award.company),
      winner_name: award.company?.name ?? winnerName(award.winner_name) ?? '',
      project_id: award.project_id,
      project_name: award.project_name,
      dept_name: award.dept_name,
      value: award.value_satang === null ? null : award.value_satang / 100,
      decided_date: award.decided_on,
      discount: discountOf(award.discount, award.is_against_budget),
      is_new: award.is_new,
    })),
  }
}
