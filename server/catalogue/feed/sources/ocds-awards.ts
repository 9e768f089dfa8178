import type { LenientFieldReader } from '#server/catalogue/feed/feed-field.ts'
import type { FeedBidder, FeedContract, FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { CONTRACT_NUMBER_SUFFIX_SEPARATOR } from '#server/catalogue/feed/merge-lists.ts'
import { readTaxIdCell } from '#server/catalogue/feed/tax-id-check-digit.ts'
import {
  getOcdsCode,
  getOcdsDate,
  getOcdsId,
  getOcdsListItemValue,
  getOcdsNode,
  getOcdsNodeList,
  getOcdsPartyName,
  getOcdsText,
  type OcdsNode,
} from './ocds-node.ts'

const CONTRACT_STATUSES: Record<string, string> = {
  active: 'ระหว่างดำเนินการ',
  terminated: 'สิ้นสุดสัญญา',
  cancelled: 'ยกเลิกสัญญา',
}

type AwardFacts = Pick<FeedRecord, 'winnerSatang' | 'winnerName' | 'winnerAnnouncedOn' | 'contracts' | 'bidders'>
type TaxIdsByParty = ReadonlyMap<string, string>

/** Reads winner, contracts and bidders of a release. Cancelled, unsuccessful and pending awards do not count. */
export function parseOcdsAwards(release: OcdsNode, fields: LenientFieldReader): AwardFacts {
  const tins = readTaxIds(release, fields)
  const validAwards = getOcdsNodeList(release, 'awards').filter(
    (award) => !['cancelled', 'unsuccessful'].includes(getOcdsCode(award, 'status')),
  )
  const values = new Map(
    validAwards.map((award) => [award, getOcdsListItemValue(award, 'ราคาที่ตกลง (award.value)', fields)]),
  )
  // A contract makes its award final, even if the award is still marked pending.
  const isFinal = (award: OcdsNode) =>
    getOcdsCode(award, 'status') !== 'pending' ||
    getOcdsNodeList(release, 'contracts').some((contract) => isOfAward(contract, award))
  const awards = validAwards.filter(isFinal)
  for (const award of validAwards) {
    if (isFinal(award)) continue
    fields.add('award_pending', 'ผู้ชนะ', supplierNames(award) ?? '')
    values.delete(award)
  }
  const largest = awards.toSorted((a, b) => (values.get(b) ?? 0) - (values.get(a) ?? 0))[0]
  const days = awards
    .map((award) => getOcdsDate(award, 'date', 'วันที่ประกาศผู้ชนะ (award.date)', 'past', fields)?.day)
    .filter(isText)
  const contracts = readContracts(release, awards, tins, fields)
  return {
    // A sum without an unreadable or foreign amount would look like the whole price.
    winnerSatang: awards.some((award) => isAmountLeftOut(award, values.get(award)))
      ? undefined
      : sumAwards(release, values, contracts),
    winnerName: largest === undefined ? undefined : supplierNames(largest),
    winnerAnnouncedOn: days.toSorted()[0],
    contracts: contracts.length > 0 ? contracts : undefined,
    bidders: readBidders(release, awards, tins, fields),
  }
}

const isAmountLeftOut = (award: OcdsNode, satang: number | null | undefined): boolean =>
  satang === undefined && ['number', 'string'].includes(typeof getOcdsNode(award, 'value').amount)

const isText = (value: string | null | undefined): value is string => typeof value === 'string'

/**
 * Sums the awards. A contract over several lots repeats its total in each of its awards, so that amount counts once.
 */
function sumAwards(
  release: OcdsNode,
  values: ReadonlyMap<OcdsNode, number | null | undefined>,
  contracts: readonly FeedContract[],
): number | undefined {
  const shared = new Map<string, OcdsNode[]>()
  for (const contract of getOcdsNodeList(release, 'contracts')) {
    const award = [...values.keys()].find((candidate) => isOfAward(contract, candidate))
    const id = getOcdsId(contract, 'id')
    if (award && id) shared.set(id, [...(shared.get(id) ?? []), award])
  }
  const amounts = new Map([...values].map(([award, value]) => [award, value]))
  for (const [id, of] of shared) {
    const awards = [...new Set(of)]
    const contractTotal = contracts.find(({ contractNo }) => contractNo === id)?.amountSatang
    if (
      awards.length < 2 ||
      typeof contractTotal !== 'number' ||
      awards.some((award) => values.get(award) !== contractTotal)
    )
      continue
    for (const award of awards.slice(1)) amounts.delete(award)
  }
  const knownAmounts = [...amounts.values()].filter((value) => typeof value === 'number')
  return knownAmounts.length > 0 ? knownAmounts.reduce((sum, value) => sum + value, 0) : undefined
}

function supplierNames(award: OcdsNode): string | undefined {
  const names = getOcdsNodeList(award, 'suppliers')
    .map((supplier) => getOcdsPartyName(supplier))
    .filter(isText)
  return names.length > 0 ? names.join(', ') : undefined
}

/** Reads tax ids from the parties: identifier of scheme TH-TIN, or the id "TH-TIN-0105…". */
function readTaxIds(release: OcdsNode, fields: LenientFieldReader): TaxIdsByParty {
  const tins = new Map<string, string>()
  for (const party of getOcdsNodeList(release, 'parties')) {
    const id = getOcdsId(party, 'id')
    if (id === undefined) continue
    const identifier = getOcdsNode(party, 'identifier')
    const tin = identifier.scheme === 'TH-TIN' ? getOcdsText(identifier, 'id') : /^TH-TIN-(.+)$/.exec(id)?.[1]
    const taxId = readTaxIdCell(tin, fields)
    if (taxId !== undefined) tins.set(id, taxId)
  }
  return tins
}

const isOfAward = (contract: OcdsNode, award: OcdsNode) =>
  getOcdsId(contract, 'awardID') !== undefined && getOcdsId(award, 'id') === getOcdsId(contract, 'awardID')

/** Groups contracts by id: a contract over several lots is listed once per lot. */
function readContracts(
  release: OcdsNode,
  awards: readonly OcdsNode[],
  tins: TaxIdsByParty,
  fields: LenientFieldReader,
): FeedContract[] {
  const contracts = new Map<string, FeedContract>()
  for (const contract of getOcdsNodeList(release, 'contracts')) {
    const id = getOcdsId(contract, 'id') ?? ''
    const parsedContract = readContract(contract, awards, tins, fields)
    const existing = contracts.get(id)
    if (existing === undefined || existing.amountSatang === parsedContract.amountSatang)
      contracts.set(id, parsedContract)
    else
      contracts.set(`${id} ${contracts.size}`, {
        ...parsedContract,
        contractNo: `${id}${CONTRACT_NUMBER_SUFFIX_SEPARATOR}${contracts.size}`,
      })
  }
  return [...contracts.values()]
}

/** A joint venture is one winner under all names and has no tax id, so no member is credited with the whole amount. */
function readContract(
  contract: OcdsNode,
  awards: readonly OcdsNode[],
  tins: TaxIdsByParty,
  fields: LenientFieldReader,
): FeedContract {
  const award = awards.find((candidate) => isOfAward(contract, candidate))
  const suppliers = award === undefined ? [] : getOcdsNodeList(award, 'suppliers')
  const supplierId = suppliers.length === 1 ? getOcdsId(suppliers[0]!, 'id') : undefined
  return {
    contractNo: getOcdsId(contract, 'id') ?? '',
    winnerTin: supplierId === undefined ? undefined : tins.get(supplierId),
    winnerName: award === undefined ? undefined : supplierNames(award),
    amountSatang: getOcdsListItemValue(contract, 'งบสัญญา (contract.value)', fields),
    signedOn: getOcdsDateDay(getOcdsDate(contract, 'dateSigned', 'วันที่ลงนามสัญญา (contract.dateSigned)', 'past', fields)),
    endsOn: getOcdsDateDay(
      getOcdsDate(getOcdsNode(contract, 'period'), 'endDate', 'วันที่สิ้นสุดสัญญา (contract.period.endDate)', 'end', fields),
    ),
    status: CONTRACT_STATUSES[getOcdsCode(contract, 'status')],
  }
}

/** Returns the day of a date. In a release, null deletes a date and a missing field leaves the date unchanged. */
export const getOcdsDateDay = <T extends { readonly day: string } | null | undefined>(date: T) =>
  date === null ? null : date?.day

/**
 * Returns bids with prices if the bids extension is used, else the tenderers. Winners missing from the list, as in the
 * standard's own example, are added. A list of winners alone is not a list of bidders; an empty list carries no
 * information.
 */
function readBidders(
  release: OcdsNode,
  awards: readonly OcdsNode[],
  tins: TaxIdsByParty,
  fields: LenientFieldReader,
): readonly FeedBidder[] | undefined {
  const suppliers = awards.flatMap((award) => getOcdsNodeList(award, 'suppliers'))
  const keyOf = (party: OcdsNode) => getOcdsId(party, 'id') ?? getOcdsText(party, 'name')
  const winners = new Set(suppliers.map(keyOf))
  const names = new Map(
    getOcdsNodeList(release, 'parties').map((party) => [getOcdsId(party, 'id'), getOcdsPartyName(party)]),
  )
  const bidder = (party: OcdsNode, priceSatang?: number | null): FeedBidder[] => {
    const id = getOcdsId(party, 'id')
    const name = getOcdsPartyName(party) ?? names.get(id)
    if (!isText(name)) return []
    return [{ tin: tins.get(id ?? ''), name, priceSatang, isWinner: winners.has(keyOf(party)) }]
  }
  const bids = getOcdsNodeList(getOcdsNode(release, 'bids'), 'details')
  const priced = bids.flatMap((bid) => {
    const price = getOcdsListItemValue(bid, 'ราคาที่เสนอ (bid.value)', fields)
    return getOcdsNodeList(bid, 'tenderers').map((party) => ({ party, price }))
  })
  const parties = getOcdsNodeList(release, 'parties').filter(
    (party) => Array.isArray(party.roles) && party.roles.includes('tenderer'),
  )
  const tenderers = parties.length > 0 ? parties : getOcdsNodeList(getOcdsNode(release, 'tender'), 'tenderers')
  // Some publishers list a tenderer once per lot or item, so remove duplicates.
  const distinct = [...new Map(tenderers.map((party) => [keyOf(party), party])).values()]
  const entries = priced.length > 0 ? priced : distinct.map((party) => ({ party, price: undefined }))
  if (entries.every(({ party }) => winners.has(keyOf(party))) && priced.length === 0) return undefined
  const keys = new Set(entries.map(({ party }) => keyOf(party)))
  const missingWinners = suppliers.filter((supplier, at) => {
    const key = keyOf(supplier)
    return !keys.has(key) && suppliers.findIndex((candidate) => keyOf(candidate) === key) === at
  })
  const bidders = [
    ...entries.flatMap(({ party, price }) => bidder(party, price)),
    ...missingWinners.flatMap((party) => bidder(party)),
  ]
  return bidders.length > 0 ? bidders : undefined
}
