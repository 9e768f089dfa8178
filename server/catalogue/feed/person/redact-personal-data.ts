import { extractTradeName, maskPersonIds, parseTaxId } from '#contract/catalogue/natural-person.ts'
import {
  type FeedBidder,
  type FeedContract,
  type FeedRecord,
  type FeedRejection,
  type FeedRow,
  SOURCE_STATED_FACTS,
} from '#server/catalogue/feed/feed-source.ts'
import { toPersonKey, toStoredTaxId } from './person-key.ts'

/** Free texts of a project. Its name and winner have rules of their own, and departments are public bodies. */
const FREE_TEXT_KEYS = SOURCE_STATED_FACTS.flatMap(({ name, key, type, departmentColumn }) =>
  type === 'text' && !departmentColumn && name !== 'name' && name !== 'winner_name' ? [key] : [],
)

/**
 * Removes ids of natural persons and owners' names behind shop names. Every source passes through here before anything
 * is written, including to staging tables. Idempotent.
 */
export function redactPersonalData(record: FeedRecord): FeedRecord {
  const contracts = record.contracts?.map(hideWinner)
  const bidders = record.bidders?.map(hideBidder)
  const isCompany = (name: string) =>
    contracts?.some(({ winnerTin, winnerName }) => winnerName === name && isJuristic(winnerTin)) ||
    bidders?.some((bidder) => bidder.name === name && isJuristic(bidder.tin))
  const { name, winnerName } = record
  const hidden: Partial<FeedRecord> = {
    ...maskFreeTexts(record),
    ...(name && { name: maskPersonIds(name) }),
    ...(winnerName && { winnerName: isCompany(winnerName) ? winnerName : redactTenderPartyName(winnerName) }),
    ...(contracts && { contracts }),
    ...(bidders && { bidders }),
    ...(record.doubts && {
      doubts: record.doubts.map((doubt) => ({ ...doubt, value: maskPersonIds(doubt.value, { isStrict: true }) })),
    }),
    ...(record.attachments && {
      attachments: record.attachments.map((file) => ({ ...file, name: maskPersonIds(file.name) })),
    }),
  }
  return { ...record, ...hidden }
}

function maskFreeTexts(record: FeedRecord): Partial<FeedRecord> {
  const masked: Record<string, unknown> = {}
  for (const key of FREE_TEXT_KEYS) {
    const text = record[key]
    if (typeof text === 'string') masked[key] = maskPersonIds(text, { isStrict: true })
  }
  return masked as Partial<FeedRecord>
}

const isJuristic = (taxId: string | null | undefined) =>
  typeof taxId === 'string' && parseTaxId(taxId).kind === 'juristic'

export const redactTenderPartyName = (name: string): string => extractTradeName(maskPersonIds(name, { isStrict: true }))

const stored = (taxId: string | null | undefined) => (taxId ? toStoredTaxId(taxId) : taxId)

function hideWinner(contract: FeedContract): FeedContract {
  const winnerTin = stored(contract.winnerTin)
  const { winnerName, contractNo } = contract
  const isOfCompany = isJuristic(winnerTin)
  return {
    ...contract,
    winnerTin,
    contractNo: redactContractNumber(contractNo),
    winnerName: winnerName && !isOfCompany ? redactTenderPartyName(winnerName) : winnerName,
  }
}

function hideBidder(bidder: FeedBidder): FeedBidder {
  const tin = stored(bidder.tin)
  return { ...bidder, tin, name: isJuristic(tin) ? bidder.name : redactTenderPartyName(bidder.name) }
}

/** Contract numbers are keys, so a number that is an identity card number is replaced by its person key. */
export function redactContractNumber(contractNo: string): string {
  return maskPersonIds(contractNo) === contractNo ? contractNo : toPersonKey(contractNo)
}

/** The reason of a rejection may quote an id, so it is redacted too; `toQuarantinedText` has already redacted `raw`. */
const hideInRejected = ({ reason, raw }: FeedRejection): FeedRejection => ({
  reason: maskPersonIds(reason, { isStrict: true }),
  raw,
})

export const redactFeedRow = (item: FeedRow): FeedRow =>
  'rejected' in item
    ? { ...item, rejected: hideInRejected(item.rejected) }
    : { ...item, record: redactPersonalData(item.record) }
