import { formatWinnerNames } from '#contract/catalogue/format-department-name.ts'
import { maskPersonIds, parseTaxId } from '#contract/catalogue/natural-person.ts'
import { foldDocumentText } from '#contract/thai/fold-document-text.ts'
import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import { readExistingProjects } from '#server/catalogue/feed/project-queries.ts'
import type { ExistingProject } from '#server/catalogue/feed/project-row.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { normaliseSearchTextLines } from '#server/platform/text/to-line-search-forms.ts'
import { toStoredTaxId } from './person-key.ts'
import {
  findPersonalDataSweepRows,
  findProjectsToRedact,
  findStagedDataLoadChunks,
  findUnhashedPersonIds,
  PERSONAL_DATA_SWEEP_TABLES,
  type PersonalDataSweepRow,
  type PersonalDataSweepState,
  type PersonalDataSweepTable,
  type RedactedProjectTexts,
  readLastPersonalDataSweep,
  readPersonalDataSweepEnd,
  readStagedDataLoadChunk,
  replacePersonIds,
  type TenderPartyTable,
  writeLastPersonalDataSweep,
  writePersonalDataSweepRows,
  writeRedactedProjectTexts,
  writeStagedDataLoadChunk,
} from './queries.ts'
import { redactContractNumber, redactPersonalData, redactTenderPartyName } from './redact-personal-data.ts'

const ROWS_PER_BATCH = 20_000
const PROJECTS_PER_BATCH = 500

/**
 * Applies the rules of `redactPersonalData` to stored rows: rows of the previous version, of a backup of it, and of its
 * processes still running during a rolling upgrade. Every step is its own transaction and a no-op the second time, so
 * an interrupted start resumes and two processes may run it at once.
 */
export async function redactStoredPersonalData(db: Db): Promise<void> {
  for (const table of ['contracts', 'bidders'] as const) await hideStoredIds(db, table)
  const swept = await readLastPersonalDataSweep(db)
  const sweepEnd = await readPersonalDataSweepEnd(db)
  await hideStagedChunks(db)
  const projects = await findProjectsToRedact(db, swept.load ?? -1)
  for (let at = 0; at < projects.length; at += PROJECTS_PER_BATCH) {
    const ids = projects.slice(at, at + PROJECTS_PER_BATCH)
    await db.transaction(async (tx) => {
      const batch = await readExistingProjects(tx, ids)
      await writeRedactedProjectTexts(tx, hideProjectTexts([...batch.values()]))
    })
  }
  for (const table of PERSONAL_DATA_SWEEP_TABLES) await hideTableTexts(db, table, swept)
  await writeLastPersonalDataSweep(db, sweepEnd)
}

async function hideStoredIds(db: Db, table: TenderPartyTable): Promise<void> {
  for (;;) {
    const ids = await findUnhashedPersonIds(db, table, ROWS_PER_BATCH)
    if (ids.length === 0) return
    await replacePersonIds(db, table, new Map(ids.map((id) => [id, toStoredTaxId(id) ?? null])))
  }
}

async function hideStagedChunks(db: Db): Promise<void> {
  for (const { loadId, chunk } of await findStagedDataLoadChunks(db))
    await db.transaction(async (tx) => {
      const records = await readStagedDataLoadChunk(tx, loadId, chunk)
      const hidden = records.map(redactPersonalData)
      if (JSON.stringify(hidden) !== JSON.stringify(records)) await writeStagedDataLoadChunk(tx, loadId, chunk, hidden)
    })
}

const isCompany = (taxId: string | null) => parseTaxId(taxId).kind === 'juristic'

function hideProjectTexts(projects: readonly ExistingProject[]): RedactedProjectTexts {
  const differing = <Row>(rows: readonly Row[], hide: (row: Row) => Row) =>
    rows
      .map((row) => [row, hide(row)] as const)
      .filter(([row, hiddenRow]) => JSON.stringify(row) !== JSON.stringify(hiddenRow))
  return {
    projects: projects.flatMap((project) => {
      const { row } = project
      const name = maskPersonIds(row.name)
      const remark = row.remark === null ? null : maskPersonIds(row.remark, { isStrict: true })
      const winner_name = row.winner_name && publicWinnerName(project, row.winner_name)
      const other_winners =
        row.other_winners?.replace(/.+/g, (winnerName) => publicWinnerName(project, winnerName)) ?? null
      if (
        name === row.name &&
        remark === row.remark &&
        winner_name === row.winner_name &&
        other_winners === row.other_winners
      )
        return []
      const spaced = normaliseThai(name)
      const winners = formatWinnerNames({ winner_name, other_winners })
      const forms = winners === '' ? undefined : normaliseSearchTextLines(winners)
      return [
        {
          project_id: row.project_id,
          ...{
            name,
            name_search: removeSpacesNextToThai(spaced),
            name_spaced: spaced,
            remark,
            winner_name,
            other_winners,
          },
          winner_search: forms?.compact ?? null,
          winner_spaced: forms?.spaced ?? null,
        },
      ]
    }),
    contracts: projects
      .flatMap(({ contracts }) => contracts)
      .map(({ project_id, contract_no, winner_name, winner_tin }) => ({
        ...{ project_id, contract_no, number: redactContractNumber(contract_no) },
        name: winner_name === null || isCompany(winner_tin) ? winner_name : redactTenderPartyName(winner_name),
        before: winner_name,
      }))
      .filter(({ contract_no, number, name, before }) => number !== contract_no || name !== before),
    bidders: differing(
      projects.flatMap(({ bidders }) => bidders),
      (row) => (isCompany(row.tin) ? row : { ...row, name: redactTenderPartyName(row.name) }),
    ).map(([, row]) => row),
    attachments: differing(
      projects.flatMap(({ attachments }) => attachments),
      (row) => ({ ...row, name: maskPersonIds(row.name) }),
    ).map(([, row]) => row),
  }
}

function publicWinnerName({ contracts, bidders }: ExistingProject, name: string): string {
  const isOfCompany =
    contracts.some((contract) => contract.winner_name === name && isCompany(contract.winner_tin)) ||
    bidders.some((bidder) => bidder.name === name && isCompany(bidder.tin))
  return isOfCompany ? name : redactTenderPartyName(name)
}

const ROW_HIDERS: Readonly<Record<string, (texts: PersonalDataSweepRow['texts']) => PersonalDataSweepRow['texts']>> = {
  documents: (facts) =>
    facts.map((text) =>
      JSON.stringify(JSON.parse(text!), (_, value) => (typeof value === 'string' ? maskPersonIds(value) : value)),
    ),
  // Folding the text joins adjacent numbers, so the folded text is derived from the redacted text.
  document_pages: ([text]) => {
    const hidden = maskPersonIds(text!)
    return [hidden, foldDocumentText(hidden).folded]
  },
}

async function hideTableTexts(db: Db, table: PersonalDataSweepTable, swept: PersonalDataSweepState): Promise<void> {
  const isStrict = table.table.endsWith('quarantined_rows') || table.table === 'loads'
  const hide = (rowKey: string) => (text: string | null) => {
    if (text === null) return null
    // The third part of a change's key is the field name.
    if (table.table === 'project_changes' && rowKey.endsWith('"winner_name"]')) return redactTenderPartyName(text)
    return maskPersonIds(text, { isStrict })
  }
  const rows = (await findPersonalDataSweepRows(db, table, swept)).flatMap(
    ({ place, texts }): PersonalDataSweepRow[] => {
      const hidden = ROW_HIDERS[table.table]?.(texts) ?? texts.map(hide(place))
      return hidden.some((text, index) => text !== texts[index]) ? [{ place, texts: hidden }] : []
    },
  )
  await writePersonalDataSweepRows(db, table, rows)
}
