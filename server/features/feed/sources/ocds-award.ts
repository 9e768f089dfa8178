import type { FeedBidder, FeedContract, FeedRecord } from '../feed-source.ts'
import { hasValidCheckDigit } from '../tax-id.ts'
import { dateAt, listAt, type Node, nodeAt, textAt, valueAt } from './ocds-node.ts'

const CONTRACT_STATUSES: Record<string, string> = {
  active: 'ระหว่างดำเนินการ',
  terminated: 'สิ้นสุดสัญญา',
  cancelled: 'ยกเลิกสัญญา',
}

type Outcome = Pick<FeedRecord, 'winnerSatang' | 'winnerName' | 'winnerAnnouncedOn' | 'contracts' | 'bidders'>

/** Winner, contracts and bidders of a release. Awards that were cancelled or never took effect do not count. */
export function readAwards(release: Node): Outcome & { warnings: readonly string[] } {
  const warnings: string[] = []
  const tins = tinsByParty(release, warnings)
  const awards = listAt(release, 'awards').filter(
    (award) => !['cancelled', 'unsuccessful'].includes(String(award.status)),
  )
  const values = awards.map((award) => valueAt(award, 'value', 'ราคาที่ตกลง (award.value)'))
  const largest = awards.toSorted((a, b) => amountOf(b) - amountOf(a))[0]
  const known = values.filter((value) => typeof value === 'number')
  const days = awards.map((award) => dateAt(award, 'date', 'วันที่ประกาศผู้ชนะ (award.date)')).filter(isText)
  const contracts = listAt(release, 'contracts').map((contract) => readContract(contract, awards, tins))
  return {
    warnings,
    winnerSatang: known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : undefined,
    winnerName: largest === undefined ? undefined : supplierNames(largest),
    winnerAnnouncedOn: days.toSorted()[0],
    contracts: contracts.length > 0 ? contracts : undefined,
    bidders: biddersOf(release, awards, tins),
  }
}

const isText = (value: string | null | undefined): value is string => typeof value === 'string'
const amountOf = (award: Node) => Number(nodeAt(award, 'value').amount ?? 0)

function supplierNames(award: Node): string | undefined {
  const names = listAt(award, 'suppliers')
    .map((supplier) => textAt(supplier, 'name'))
    .filter(isText)
  return names.length > 0 ? names.join(', ') : undefined
}

/** Tax ids stand in the parties, as identifier of scheme TH-TIN or inside the id "TH-TIN-0105…". */
function tinsByParty(release: Node, warnings: string[]): ReadonlyMap<string, string> {
  const tins = new Map<string, string>()
  for (const party of listAt(release, 'parties')) {
    const id = textAt(party, 'id')
    if (!isText(id)) continue
    const identifier = nodeAt(party, 'identifier')
    const tin = identifier.scheme === 'TH-TIN' ? textAt(identifier, 'id') : /^TH-TIN-(.+)$/.exec(id)?.[1]
    if (!isText(tin)) continue
    if (!hasValidCheckDigit(tin)) warnings.push(`เลขนิติบุคคล ${tin} ไม่ผ่านการตรวจเลขท้าย`)
    tins.set(id, tin)
  }
  return tins
}

function readContract(contract: Node, awards: readonly Node[], tins: ReadonlyMap<string, string>): FeedContract {
  const award = awards.find((candidate) => candidate.id === contract.awardID && contract.awardID !== undefined)
  const supplierId = award === undefined ? undefined : textAt(listAt(award, 'suppliers')[0] ?? {}, 'id')
  return {
    contractNo: textAt(contract, 'id') ?? '',
    winnerTin: isText(supplierId) ? tins.get(supplierId) : undefined,
    winnerName: award === undefined ? undefined : supplierNames(award),
    amountSatang: valueAt(contract, 'value', 'วงเงินสัญญา (contract.value)'),
    signedOn: dateAt(contract, 'dateSigned', 'วันที่ลงนามสัญญา (contract.dateSigned)'),
    endsOn: dateAt(nodeAt(contract, 'period'), 'endDate', 'วันที่สิ้นสุดสัญญา (contract.period.endDate)'),
    status: CONTRACT_STATUSES[String(contract.status)],
  }
}

/** Bids (with prices) where the extension is used, else the tenderers; a list of the winner alone is not who bid. */
function biddersOf(
  release: Node,
  awards: readonly Node[],
  tins: ReadonlyMap<string, string>,
): readonly FeedBidder[] | undefined {
  const winners = new Set(awards.flatMap((award) => listAt(award, 'suppliers')).map((supplier) => supplier.id))
  const bidder = (party: Node, priceSatang?: number | null): FeedBidder[] => {
    const name = textAt(party, 'name')
    if (!isText(name)) return []
    return [{ tin: tins.get(String(party.id)), name, priceSatang, isWinner: winners.has(party.id) }]
  }
  const bids = listAt(nodeAt(release, 'bids'), 'details')
  if (bids.length > 0)
    return bids.flatMap((bid) =>
      listAt(bid, 'tenderers').flatMap((party) => bidder(party, valueAt(bid, 'value', 'ราคาที่เสนอ (bid.value)'))),
    )
  const tenderers = listAt(release, 'parties').filter(
    (party) => Array.isArray(party.roles) && party.roles.includes('tenderer'),
  )
  return tenderers.some((party) => !winners.has(party.id)) ? tenderers.flatMap((party) => bidder(party)) : undefined
}
