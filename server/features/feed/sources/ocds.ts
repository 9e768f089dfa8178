import { stat } from 'node:fs/promises'
import { rawForQuarantine } from '../clean-text.ts'
import { FieldError } from '../feed-field.ts'
import {
  type FeedAttachment,
  type FeedBidder,
  type FeedContract,
  FeedFormatError,
  type FeedItem,
  type FeedRecord,
  type FeedSource,
} from '../feed-source.ts'
import { isObject, readJsonFile } from '../file/json-document.ts'
import { jsonElements } from '../file/json-elements.ts'
import { hasValidCheckDigit } from '../tax-id.ts'
import { methodCode, methodTypeCode, provinceCode, provinceInTitle } from '../vocabulary.ts'
import { dateAt, listAt, type Node, nodeAt, textAt, valueAt } from './ocds-node.ts'

const CONTRACT_STATUSES: Record<string, string> = {
  active: 'ระหว่างดำเนินการ',
  terminated: 'สิ้นสุดสัญญา',
  cancelled: 'ยกเลิกสัญญา',
}

type Outcome = Pick<FeedRecord, 'winnerSatang' | 'winnerName' | 'winnerAnnouncedOn' | 'contracts' | 'bidders'>

/** Winner, contracts and bidders of a release. Awards that were cancelled or never took effect do not count. */
function readAwards(release: Node): Outcome & { warnings: readonly string[] } {
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

const PROJECT_ID = /^\d{11}$/
const STATUSES: Record<string, string> = { cancelled: 'invitation_cancelled', withdrawn: 'project_cancelled' }
const METHODS: Record<string, string> = { selective: 'selective', direct: 'specific' }
const CATEGORIES: Record<string, string> = { works: 'construct', goods: 'buy', services: 'service' }
const CRITERIA: Record<string, string> = {
  priceOnly: 'price',
  lowestCost: 'price',
  ratedCriteria: 'price_and_other',
  bestProposal: 'price_and_other',
  bestValueToGovernment: 'price_and_other',
}

/**
 * One OCDS release as a record. `release.date` is not read: Bangkok rewrites it every night (docs/data.md).
 * @throws FieldError when there is no id, or an amount is not in baht, or a date or amount cannot be read.
 */
function readRelease(release: Node): { record: FeedRecord; warnings: readonly string[] } {
  const tender = nodeAt(release, 'tender')
  const budget = nodeAt(nodeAt(release, 'planning'), 'budget')
  const { warnings, ...outcome } = readAwards(release)
  const unit = buyingUnit(release, tender)
  const province = provinceCode(String(nodeAt(unit, 'address').region ?? ''))
  const submission = nodeAt(tender, 'tenderPeriod')
  // Bangkok leaves the tender's title out and fills the budget's project.
  const name = textAt(tender, 'title') ?? textAt(budget, 'project') ?? undefined
  const place = (name === undefined ? undefined : provinceInTitle(name)) ?? province
  const record: FeedRecord = {
    projectId: projectIdOf(release, tender, budget),
    name,
    deptName: textAt(nodeAt(release, 'buyer'), 'name') ?? textAt(unit, 'name') ?? undefined,
    deptSubName: textAt(unit, 'name') ?? undefined,
    deptProvince: province,
    projectProvince: place,
    // The address is the unit's.
    district: place === province ? textAt(nodeAt(unit, 'address'), 'locality') : undefined,
    fiscalYear: fiscalYearOf(budget),
    status: STATUSES[String(tender.status)],
    criteria: CRITERIA[String(tender.awardCriteria)],
    method: methodOf(tender),
    methodType: methodTypeOf(tender),
    budgetSatang: budgetOf(budget),
    estimateSatang: valueAt(tender, 'value', 'ราคากลาง (tender.value)'),
    biddingInvitedOn: dateAt(tender, 'datePublished', 'วันที่ประกาศเชิญชวน (tender.datePublished)'),
    submissionEndsOn: dateAt(submission, 'endDate', 'วันสิ้นสุดยื่นข้อเสนอ (tender.tenderPeriod.endDate)'),
    attachments: attachmentsOf(release, tender),
    ...outcome,
  }
  return { record, warnings }
}

/** The e-GP number where a release carries it; a publisher without one is followed by its ocid. */
function projectIdOf(release: Node, tender: Node, budget: Node): string {
  const ocid = textAt(release, 'ocid') ?? ''
  const candidates = [textAt(tender, 'id'), textAt(budget, 'projectID'), ocid.split('-').at(-1)]
  const projectId = candidates.find((id) => typeof id === 'string' && PROJECT_ID.test(id)) ?? ocid
  if (projectId === '') throw new FieldError('ไม่มี ocid')
  return projectId
}

function buyingUnit(release: Node, tender: Node): Node {
  const parties = listAt(release, 'parties')
  const hasRole = (role: string) => parties.find((party) => Array.isArray(party.roles) && party.roles.includes(role))
  const named = nodeAt(tender, 'procuringEntity')
  return hasRole('procuringEntity') ?? (named.name === undefined ? undefined : named) ?? hasRole('buyer') ?? {}
}

/** Bangkok's budget id begins with the two-digit Buddhist year. */
function fiscalYearOf(budget: Node): number | undefined {
  const id = textAt(budget, 'id')
  return typeof id === 'string' && /^[5-9]\d{7,}$/.test(id) ? 2500 + Number(id.slice(0, 2)) : undefined
}

/** Standard place `planning.budget.amount`; Bangkok uses `planning.budget.value`. */
function budgetOf(budget: Node): number | null | undefined {
  return valueAt(budget, budget.amount === undefined ? 'value' : 'amount', 'งบประมาณ (planning.budget)')
}

function methodOf(tender: Node): string | undefined {
  const details = textAt(tender, 'procurementMethodDetails')
  if (typeof details === 'string') return methodCode(details)
  const method = textAt(tender, 'procurementMethod')
  // "open" may be e-bidding, e-market or an open invitation of consultants: kept as received.
  return typeof method === 'string' ? (METHODS[method] ?? method) : undefined
}

function methodTypeOf(tender: Node): string | undefined {
  const additional = Array.isArray(tender.additionalProcurementCategories)
    ? tender.additionalProcurementCategories[0]
    : undefined
  if (typeof additional === 'string') return methodTypeCode(additional)
  const category = textAt(tender, 'mainProcurementCategory')
  return typeof category === 'string' ? (CATEGORIES[category] ?? category) : undefined
}

function attachmentsOf(release: Node, tender: Node): readonly FeedAttachment[] | undefined {
  const sections: readonly (readonly [string, readonly Node[]])[] = [
    ['draft_published', [nodeAt(release, 'planning')]],
    ['invited', [tender]],
    ['winner_announced', listAt(release, 'awards')],
    ['contract_created', listAt(release, 'contracts')],
  ]
  const attachments = sections.flatMap(([step, nodes]) =>
    nodes.flatMap((node) => listAt(node, 'documents')).flatMap((document) => readDocument(document, step)),
  )
  return attachments.length > 0 ? attachments : undefined
}

function readDocument(document: Node, step: string): FeedAttachment[] {
  const url = textAt(document, 'url')
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return []
  const publishedOn = dateAt(document, 'datePublished', 'วันที่ของเอกสาร (datePublished)')
  return [{ url, name: textAt(document, 'title') ?? url, step, publishedOn }]
}

/** A larger document is read release by release: Bangkok's file of a year has 215 MB, and as one it took a gigabyte of memory. */
const WHOLE_BYTES = 16 * 2 ** 20
const LISTS = new Set(['releases', 'records'])

/** An OCDS 1.1 release package (or record package, of which the compiled releases are read). One release is one row. */
export function ocdsSource(path: string, wholeBytes = WHOLE_BYTES): FeedSource {
  return {
    name: 'ocds',
    async *records(resumeAfterLine) {
      // A missing file is reported by the code that opens it.
      const size = (await stat(path).catch(() => undefined))?.size ?? 0
      const releases = size > wholeBytes ? jsonElements(path, LISTS, releasesOf) : releasesOf(await readJsonFile(path))
      let line = 0
      for await (const release of releases) {
        line += 1
        if (line > resumeAfterLine) yield readItem(compiled(release), line)
      }
    },
  }
}

/** Of a record its compiled release. */
const compiled = (release: unknown) => (isObject(release) ? (release.compiledRelease ?? release) : release)

/** @throws FeedFormatError when the document is no package or of another major version. */
export function releasesOf(document: unknown): readonly unknown[] {
  if (!isObject(document)) throw new FeedFormatError('JSON ไม่ใช่ OCDS: ไม่ใช่ออบเจ็กต์')
  const version = typeof document.version === 'string' ? document.version : '1.0'
  if (!/^1\.\d/.test(version)) throw new FeedFormatError(`ไม่รองรับ OCDS รุ่น ${version} รองรับ 1.x`)
  if (Array.isArray(document.releases)) return document.releases
  if (Array.isArray(document.records)) return document.records
  throw new FeedFormatError('JSON ไม่ใช่ชุดข้อมูล OCDS: ไม่มี releases หรือ records')
}

function readItem(release: unknown, line: number): FeedItem {
  const reject = (reason: string): FeedItem => ({
    line,
    rejected: { reason, raw: rawForQuarantine(JSON.stringify(release)) },
  })
  if (!isObject(release)) return reject('release ไม่ใช่ออบเจ็กต์')
  try {
    return { line, ...readRelease(release) }
  } catch (error) {
    if (error instanceof FieldError) return reject(error.message)
    throw error
  }
}
