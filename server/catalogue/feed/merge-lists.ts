import { createHash } from 'node:crypto'
import { buildCompanyKeyFromName } from '#contract/catalogue/company-name.ts'
import { PERSON_KEY_PREFIX } from '#contract/catalogue/natural-person.ts'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import type { FeedContract, FeedRecord } from './feed-source.ts'
import type { AnnouncementRow, AttachmentRow, BidderRow, ContractRow } from './project-row.ts'

/**
 * Returns true when two texts differ only in spelling that normalisation removes (blanks, Thai digits, composed
 * vowels); such a difference is not a change (D3).
 */
function isEquivalentText(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && normaliseThai(a) === normaliseThai(b))
}

export function mergeText(before: string | null, incoming: string | null | undefined): string | null {
  return incoming === undefined || isEquivalentText(before, incoming) ? before : incoming
}

/**
 * Separates the contract number from a suffix that distinguishes contracts with the same number: files write "-" or one
 * number for several winners. No number from a source contains a line break.
 */
export const CONTRACT_NUMBER_SUFFIX_SEPARATOR = '\n'

/**
 * Returns all contracts of a project after the records are applied, and those that are new or changed. A contract is
 * identified by its number and winner.
 */
export function mergeContracts(
  projectId: string,
  existing: readonly ContractRow[],
  records: readonly FeedRecord[],
): { readonly all: readonly ContractRow[]; readonly changed: readonly ContractRow[] } {
  const storedByNo = new Map(existing.map((contract) => [contract.contract_no, contract]))
  const mergedByNo = new Map(storedByNo)
  for (const incoming of records.flatMap((record) => record.contracts ?? [])) {
    const key = resolveContractKey(incoming, mergedByNo, storedByNo)
    const old = mergedByNo.get(key)
    mergedByNo.set(key, {
      project_id: projectId,
      contract_no: key,
      // A row that names no winner does not clear the stored winner.
      winner_tin: incoming.winnerTin || (old?.winner_tin ?? null),
      winner_name: mergeText(old?.winner_name ?? null, incoming.winnerName || undefined),
      amount_satang: incoming.amountSatang === undefined ? (old?.amount_satang ?? null) : incoming.amountSatang,
      signed_on: incoming.signedOn === undefined ? (old?.signed_on ?? null) : incoming.signedOn,
      ends_on: incoming.endsOn === undefined ? (old?.ends_on ?? null) : incoming.endsOn,
      status: mergeText(old?.status ?? null, incoming.status),
    })
  }
  const all = [...mergedByNo.values()]
  return { all, changed: all.filter((contract) => !hasEqualColumns(storedByNo.get(contract.contract_no), contract)) }
}

function resolveContractKey(
  incoming: FeedContract,
  contracts: ReadonlyMap<string, ContractRow>,
  storedByNo: ReadonlyMap<string, ContractRow>,
): string {
  const { contractNo } = incoming
  const old = contracts.get(contractNo)
  if (old === undefined || isSameParty(old, incoming)) return contractNo
  for (const [key, contract] of contracts)
    if (key.startsWith(`${contractNo}${CONTRACT_NUMBER_SUFFIX_SEPARATOR}`) && isSameParty(contract, incoming))
      return key
  // The same number, amount and day in a later load mean that the source only corrected the spelling of the winner.
  const isCorrected =
    contractNo !== '' &&
    storedByNo.get(contractNo) === old &&
    incoming.signedOn === old.signed_on &&
    (incoming.amountSatang ?? null) === old.amount_satang
  if (isCorrected) return contractNo
  const party = createHash('sha256').update(
    `${incoming.winnerTin ?? ''} ${buildCompanyKeyFromName(incoming.winnerName ?? null) ?? ''}`,
  )
  return `${contractNo}${CONTRACT_NUMBER_SUFFIX_SEPARATOR}${party.digest('base64url').slice(0, 12)}`
}

/** Returns true for the same winner, or when either side names none. */
function isSameParty(stored: ContractRow, { winnerTin, winnerName }: FeedContract): boolean {
  const isSilent = (tin: string | null | undefined, name: string | null | undefined) => !tin && !name
  if (isSilent(winnerTin, winnerName) || isSilent(stored.winner_tin, stored.winner_name)) return true
  if (winnerTin && stored.winner_tin) {
    if (winnerTin !== stored.winner_tin) return false
    // Consortia and people with few visible digits share ids, so compare names too.
    if (/^[0p]/.test(winnerTin) && winnerTin !== PERSON_KEY_PREFIX) return true
  }
  const name = buildCompanyKeyFromName(winnerName ?? null)
  return name === undefined || stored.winner_name === null || name === buildCompanyKeyFromName(stored.winner_name)
}

export function mergeAttachments(
  projectId: string,
  existing: readonly AttachmentRow[],
  records: readonly FeedRecord[],
): { readonly added: readonly AttachmentRow[]; readonly changed: readonly AttachmentRow[] } {
  const storedByUrl = new Map(existing.map((attachment) => [attachment.url, attachment]))
  const mergedByUrl = new Map<string, AttachmentRow>()
  for (const { url, name, step, publishedOn } of records.flatMap((record) => record.attachments ?? [])) {
    const old = mergedByUrl.get(url) ?? storedByUrl.get(url)
    const published_on = publishedOn === undefined ? (old?.published_on ?? null) : publishedOn
    mergedByUrl.set(url, { project_id: projectId, url, name, step, published_on })
  }
  const merged = [...mergedByUrl.values()]
  return {
    added: merged.filter((attachment) => !storedByUrl.has(attachment.url)),
    changed: merged.filter((attachment) => !hasEqualColumns(storedByUrl.get(attachment.url), attachment)),
  }
}

export function mergeAnnouncements(
  projectId: string,
  existing: readonly AnnouncementRow[],
  records: readonly FeedRecord[],
): { readonly all: readonly AnnouncementRow[]; readonly added: readonly AnnouncementRow[] } {
  const key = (row: AnnouncementRow) => `${row.announced_on} ${row.movement}`
  const seenKeys = new Set(existing.map(key))
  const added: AnnouncementRow[] = []
  for (const { movement, announcedOn } of records.flatMap((record) => record.announcements ?? [])) {
    const row = { project_id: projectId, movement, announced_on: announcedOn }
    if (seenKeys.has(key(row))) continue
    seenKeys.add(key(row))
    added.push(row)
  }
  return { all: [...existing, ...added], added }
}

/**
 * Returns the bidders of the last record with a list, plus contract winners missing from it (lists published before the
 * award have no winner); undefined when unchanged.
 */
export function replaceBidders(
  projectId: string,
  existing: readonly BidderRow[],
  records: readonly FeedRecord[],
): readonly BidderRow[] | undefined {
  // Skip empty lists, which carry no information.
  const incoming = records.findLast((record) => (record.bidders?.length ?? 0) > 0)?.bidders
  const incomingBidders = incoming?.map((bidder, index) => ({
    project_id: projectId,
    position: index + 1,
    tin: bidder.tin ?? null,
    name: bidder.name,
    price_satang: bidder.priceSatang ?? null,
    is_winner: bidder.isWinner,
    is_sme: bidder.isSme ?? null,
  }))
  const rows = addMissingWinners(projectId, incomingBidders ?? existing, records)
  const isUnchanged =
    rows.length === existing.length && rows.every((row, index) => hasEqualColumns(existing[index], row))
  return isUnchanged ? undefined : rows
}

function addMissingWinners(
  projectId: string,
  bidders: readonly BidderRow[],
  records: readonly FeedRecord[],
): readonly BidderRow[] {
  if (bidders.length === 0 || bidders.some((bidder) => bidder.is_winner)) return bidders
  const rows = [...bidders]
  for (const { winnerTin: tin = null, winnerName: name } of records.flatMap((record) => record.contracts ?? [])) {
    if (!name) continue
    const at = rows.findIndex((row) => (tin !== null && row.tin === tin) || isEquivalentText(row.name, name))
    if (at >= 0) rows[at] = { ...rows[at]!, is_winner: true }
    else
      rows.push({
        ...{ project_id: projectId, position: rows.length + 1, tin, name },
        ...{ price_satang: null, is_winner: true, is_sme: null },
      })
  }
  return rows
}

export function hasEqualColumns<Row extends object>(a: Row | undefined, b: Row): boolean {
  if (a === undefined) return false
  return (Object.keys(b) as (keyof Row)[]).every((name) => a[name] === b[name])
}
