import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { formatPurchasingUnitAgencyName } from '#contract/catalogue/agency-name.ts'
import { parseTaxId } from '#contract/catalogue/natural-person.ts'
import { SPECIFIC_PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import { createCgdCsvSource } from '#server/catalogue/feed/sources/cgd-csv.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'

export type YearProject = ProjectToMatch & {
  readonly agency: string
  readonly movement_on: string
  readonly isCompetitive: boolean
  /** Known for e-bidding. The file has no days until which bids were accepted. */
  readonly invited_on: string | null
}
/** One contract of the year; a project with several contracts occurs several times. */
type YearContract = { readonly project: YearProject; readonly winner: string | undefined }

/**
 * Reads the contracts of the year. The first run parses the CSV and writes the normalised rows to `cache`, from which
 * later runs read in a fifth of the time.
 */
export async function* readYearContracts(csv: string, cache: string): AsyncGenerator<YearContract> {
  if (!existsSync(cache)) await writeCache(csv, cache)
  for await (const line of createInterface({ input: createReadStream(cache) })) {
    const [id, spaced, department, unitProvince, province, budget, day, competitive, winner, invited] = line.split('\t')
    const numberOf = (text: string | undefined) => (text ? Number(text) : null)
    const deptProvince = numberOf(unitProvince)
    yield {
      project: {
        project_id: id!,
        name_search: removeSpacesNextToThai(spaced!),
        name_spaced: spaced!,
        dept_name: department!,
        dept_sub_name: '',
        dept_province: deptProvince,
        agency: formatPurchasingUnitAgencyName(department!, getProvinceName(deptProvince)),
        project_province: numberOf(province),
        budget_satang: numberOf(budget),
        movement_on: day!,
        isCompetitive: competitive === '1',
        invited_on: invited || null,
      },
      winner: winner || undefined,
    }
  }
}

async function writeCache(csv: string, cache: string): Promise<void> {
  const file = createWriteStream(`${cache}.part`)
  for await (const row of createCgdCsvSource(csv).records(0)) {
    if ('rejected' in row) continue
    const { record } = row
    for (const contract of record.contracts ?? []) {
      if (!contract.signedOn) continue
      const taxId = parseTaxId(contract.winnerTin ?? null)
      const cells = [
        record.projectId,
        normaliseThai(record.name ?? '').replaceAll('\t', ' '),
        record.deptName ?? '',
        record.deptProvince ?? '',
        record.projectProvince ?? '',
        record.budgetSatang ?? '',
        contract.signedOn,
        SPECIFIC_PROCUREMENT_METHODS.includes(record.method ?? '') ? 0 : 1,
        taxId.kind === 'juristic' ? taxId.id : '',
        record.biddingInvitedOn ?? '',
      ]
      if (!file.write(`${cells.join('\t')}\n`)) await once(file, 'drain')
    }
  }
  file.end()
  await once(file, 'finish')
  renameSync(`${cache}.part`, cache)
}
