import { normaliseThai } from '#contract/thai/thai-text.ts'
import type { FeedRecord } from './feed-source.ts'
import type { AnnouncementRow, AttachmentRow, BidderRow, ContractRow } from './project-row.ts'

/** Whether two texts differ only in spelling that normalisation removes (blanks, Thai digits, composed vowels); no change then (D3). */
export function isSameText(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && normaliseThai(a) === normaliseThai(b))
}

/** `said` unless the source does not say (`undefined`) or only spells it otherwise. */
export function textAfter(before: string | null, said: string | null | undefined): string | null {
  return said === undefined || isSameText(before, said) ? before : said
}

/** All contracts after the records, and those of them that are new or differ. */
export function mergeContracts(
  projectId: string,
  known: readonly ContractRow[],
  records: readonly FeedRecord[],
): { readonly all: readonly ContractRow[]; readonly changed: readonly ContractRow[] } {
  const before = new Map(known.map((contract) => [contract.contract_no, contract]))
  const after = new Map(before)
  for (const said of records.flatMap((record) => record.contracts ?? [])) {
    const old = after.get(said.contractNo)
    after.set(said.contractNo, {
      project_id: projectId,
      contract_no: said.contractNo,
      winner_tin: said.winnerTin === undefined ? (old?.winner_tin ?? null) : said.winnerTin,
      winner_name: textAfter(old?.winner_name ?? null, said.winnerName),
      amount_satang: said.amountSatang === undefined ? (old?.amount_satang ?? null) : said.amountSatang,
      signed_on: said.signedOn === undefined ? (old?.signed_on ?? null) : said.signedOn,
      ends_on: said.endsOn === undefined ? (old?.ends_on ?? null) : said.endsOn,
      status: textAfter(old?.status ?? null, said.status),
    })
  }
  const all = [...after.values()]
  return { all, changed: all.filter((contract) => !isSameRow(before.get(contract.contract_no), contract)) }
}

/** Attachments that are new, and those whose name, step or date differs, by address. */
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

/** All announcements after the records, and the new ones. */
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

/** The bidders that the last record with a list gives; undefined when none does or the list is the known one. */
export function replaceBidders(
  projectId: string,
  known: readonly BidderRow[],
  records: readonly FeedRecord[],
): readonly BidderRow[] | undefined {
  const said = records.findLast((record) => record.bidders !== undefined)?.bidders
  const rows = said?.map((bidder, index) => ({
    project_id: projectId,
    position: index + 1,
    tin: bidder.tin ?? null,
    name: bidder.name,
    price_satang: bidder.priceSatang ?? null,
    is_winner: bidder.isWinner,
    is_sme: bidder.isSme ?? null,
  }))
  if (rows === undefined) return undefined
  const isKnown = rows.length === known.length && rows.every((row, index) => isSameRow(known[index], row))
  return isKnown ? undefined : rows
}

/** Equal in every property of `b`. */
export function isSameRow<Row extends object>(a: Row | undefined, b: Row): boolean {
  if (a === undefined) return false
  return (Object.keys(b) as (keyof Row)[]).every((name) => a[name] === b[name])
}
