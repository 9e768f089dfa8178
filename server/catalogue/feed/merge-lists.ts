import { createHash } from 'node:crypto'
import { nameIdentity } from '#contract/catalogue/company-name.ts'
import { PERSON_KEY_PREFIX } from '#contract/catalogue/natural-person.ts'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import type { FeedContract, FeedRecord } from './feed-source.ts'
import type { AnnouncementRow, AttachmentRow, BidderRow, ContractRow } from './project-row.ts'

/**
 * Returns true when two texts differ only in spelling that normalisation removes (blanks, Thai digits, composed
 * vowels); such a difference is not a change (D3).
 */
export function isSameText(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && normaliseThai(a) === normaliseThai(b))
}

export function textAfter(before: string | null, incoming: string | null | undefined): string | null {
  return incoming === undefined || isSameText(before, incoming) ? before : incoming
}

/**
 * Separates the contract number from a suffix that distinguishes contracts with the same number: files write "-" or one
 * number for several winners. No number from a source contains a line break.
 */
export const CONTRACT_MARK = '\n'

/**
 * Returns all contracts after the records, and those that are new or changed. A contract is identified by its number
 * and winner.
 */
export function mergeContracts(
  projectId: string,
  known: readonly ContractRow[],
  records: readonly FeedRecord[],
): { readonly all: readonly ContractRow[]; readonly changed: readonly ContractRow[] } {
  const before = new Map(known.map((contract) => [contract.contract_no, contract]))
  const after = new Map(before)
  for (const incoming of records.flatMap((record) => record.contracts ?? [])) {
    const key = storedNumber(incoming, after, before)
    const old = after.get(key)
    after.set(key, {
      project_id: projectId,
      contract_no: key,
      // A row without a winner does not clear the stored one.
      winner_tin: incoming.winnerTin || (old?.winner_tin ?? null),
      winner_name: textAfter(old?.winner_name ?? null, incoming.winnerName || undefined),
      amount_satang: incoming.amountSatang === undefined ? (old?.amount_satang ?? null) : incoming.amountSatang,
      signed_on: incoming.signedOn === undefined ? (old?.signed_on ?? null) : incoming.signedOn,
      ends_on: incoming.endsOn === undefined ? (old?.ends_on ?? null) : incoming.endsOn,
      status: textAfter(old?.status ?? null, incoming.status),
    })
  }
  const all = [...after.values()]
  return { all, changed: all.filter((contract) => !isSameRow(before.get(contract.contract_no), contract)) }
}

function storedNumber(
  incoming: FeedContract,
  contracts: ReadonlyMap<string, ContractRow>,
  before: ReadonlyMap<string, ContractRow>,
): string {
  const { contractNo } = incoming
  const old = contracts.get(contractNo)
  if (old === undefined || isSameParty(old, incoming)) return contractNo
  for (const [key, contract] of contracts)
    if (key.startsWith(`${contractNo}${CONTRACT_MARK}`) && isSameParty(contract, incoming)) return key
  // Same number, amount and day in a later load: only the spelling of the winner was corrected.
  const isCorrected =
    contractNo !== '' &&
    before.get(contractNo) === old &&
    incoming.signedOn === old.signed_on &&
    (incoming.amountSatang ?? null) === old.amount_satang
  if (isCorrected) return contractNo
  const party = createHash('sha256').update(
    `${incoming.winnerTin ?? ''} ${nameIdentity(incoming.winnerName ?? null) ?? ''}`,
  )
  return `${contractNo}${CONTRACT_MARK}${party.digest('base64url').slice(0, 12)}`
}

/** Returns true for the same winner, or when either side names none. */
function isSameParty(old: ContractRow, { winnerTin, winnerName }: FeedContract): boolean {
  const isSilent = (tin: string | null | undefined, name: string | null | undefined) => !tin && !name
  if (isSilent(winnerTin, winnerName) || isSilent(old.winner_tin, old.winner_name)) return true
  if (winnerTin && old.winner_tin) {
    if (winnerTin !== old.winner_tin) return false
    // Consortia and people with few visible digits share ids, so compare names too.
    if (/^[0p]/.test(winnerTin) && winnerTin !== PERSON_KEY_PREFIX) return true
  }
  const name = nameIdentity(winnerName ?? null)
  return name === undefined || old.winner_name === null || name === nameIdentity(old.winner_name)
}

/** `changed` includes new attachments; matched by URL. */
export function mergeAttachments(
  projectId: string,
  known: readonly AttachmentRow[],
  records: readonly FeedRecord[],
): { readonly added: readonly AttachmentRow[]; readonly changed: readonly AttachmentRow[] } {
  const before = new Map(known.map((attachment) => [attachment.url, attachment]))
  const after = new Map<string, AttachmentRow>()
  for (const { url, name, step, publishedOn } of records.flatMap((record) => record.attachments ?? [])) {
    const old = after.get(url) ?? before.get(url)
    const published_on = publishedOn === undefined ? (old?.published_on ?? null) : publishedOn
    after.set(url, { project_id: projectId, url, name, step, published_on })
  }
  const all = [...after.values()]
  return {
    added: all.filter((attachment) => !before.has(attachment.url)),
    changed: all.filter((attachment) => !isSameRow(before.get(attachment.url), attachment)),
  }
}

export function mergeAnnouncements(
  projectId: string,
  known: readonly AnnouncementRow[],
  records: readonly FeedRecord[],
): { readonly all: readonly AnnouncementRow[]; readonly added: readonly AnnouncementRow[] } {
  const key = (row: AnnouncementRow) => `${row.announced_on} ${row.movement}`
  const seen = new Set(known.map(key))
  const added: AnnouncementRow[] = []
  for (const { movement, announcedOn } of records.flatMap((record) => record.announcements ?? [])) {
    const row = { project_id: projectId, movement, announced_on: announcedOn }
    if (seen.has(key(row))) continue
    seen.add(key(row))
    added.push(row)
  }
  return { all: [...known, ...added], added }
}

/**
 * Returns the bidders of the last record with a list, plus contract winners missing from it (lists published before the
 * award have no winner); undefined when unchanged.
 */
export function replaceBidders(
  projectId: string,
  known: readonly BidderRow[],
  records: readonly FeedRecord[],
): readonly BidderRow[] | undefined {
  // An empty list carries no information.
  const incoming = records.findLast((record) => (record.bidders?.length ?? 0) > 0)?.bidders
  const listed = incoming?.map((bidder, index) => ({
    project_id: projectId,
    position: index + 1,
    tin: bidder.tin ?? null,
    name: bidder.name,
    price_satang: bidder.priceSatang ?? null,
    is_winner: bidder.isWinner,
    is_sme: bidder.isSme ?? null,
  }))
  const rows = withWinners(projectId, listed ?? known, records)
  const isKnown = rows.length === known.length && rows.every((row, index) => isSameRow(known[index], row))
  return isKnown ? undefined : rows
}

function withWinners(
  projectId: string,
  bidders: readonly BidderRow[],
  records: readonly FeedRecord[],
): readonly BidderRow[] {
  if (bidders.length === 0 || bidders.some((bidder) => bidder.is_winner)) return bidders
  const rows = [...bidders]
  for (const { winnerTin: tin = null, winnerName: name } of records.flatMap((record) => record.contracts ?? [])) {
    if (!name) continue
    const at = rows.findIndex((row) => (tin !== null && row.tin === tin) || isSameText(row.name, name))
    if (at >= 0) rows[at] = { ...rows[at]!, is_winner: true }
    else
      rows.push({
        ...{ project_id: projectId, position: rows.length + 1, tin, name },
        ...{ price_satang: null, is_winner: true, is_sme: null },
      })
  }
  return rows
}

export function isSameRow<Row extends object>(a: Row | undefined, b: Row): boolean {
  if (a === undefined) return false
  return (Object.keys(b) as (keyof Row)[]).every((name) => a[name] === b[name])
}
