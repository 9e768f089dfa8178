import { DoubtfulFields, FeedFieldError } from '#server/catalogue/feed/feed-field.ts'
import type { FeedAttachment, FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import {
  findProvinceInTitle,
  toMethodCode,
  toMethodTypeCode,
  toProvinceCode,
} from '#server/catalogue/feed/vocabulary.ts'
import { removeDoubtfulAmounts } from './doubtful-amounts.ts'
import { readOcdsAwards, toDay } from './ocds-awards.ts'
import { codeAt, dateAt, listAt, nodeAt, type OcdsNode, textAt, valueAt } from './ocds-node.ts'
import { ocdsReleaseTitle } from './ocds-package.ts'

const PROJECT_ID = /^\d{11}$/
const STATUSES: Record<string, string> = {
  cancelled: 'invitation_cancelled',
  unsuccessful: 'invitation_cancelled',
  withdrawn: 'project_cancelled',
}
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
 * Converts an OCDS release to a record.
 * @throws FeedFieldError when the id is missing, budget or estimate are not in baht, or too many fields are unreadable.
 */
export function readOcdsRelease(release: OcdsNode): FeedRecord {
  const fields = new DoubtfulFields()
  const tender = nodeAt(release, 'tender')
  const budget = nodeAt(nodeAt(release, 'planning'), 'budget')
  const unit = findBuyingUnit(release, tender)
  const province = toProvinceCode(String(nodeAt(unit, 'address').region ?? ''))
  const submission = nodeAt(tender, 'tenderPeriod')
  const name = ocdsReleaseTitle(release)
  const projectProvince = (name === undefined ? undefined : findProvinceInTitle(name)) ?? province
  const deadline = dateAt(submission, 'endDate', 'วันสิ้นสุดยื่นข้อเสนอ (tender.tenderPeriod.endDate)', 'deadline', fields)
  const record: FeedRecord = {
    projectId: readProjectId(release, tender, budget),
    name,
    deptName: textAt(nodeAt(release, 'buyer'), 'name') ?? textAt(unit, 'name') ?? undefined,
    deptSubName: textAt(unit, 'name') ?? undefined,
    deptProvince: province,
    projectProvince,
    // The address is that of the purchasing unit, so use its district only if the project is in the same province.
    district: projectProvince === province ? textAt(nodeAt(unit, 'address'), 'locality') : undefined,
    fiscalYear: readFiscalYear(budget),
    status: STATUSES[codeAt(tender, 'status')],
    criteria: CRITERIA[String(tender.awardCriteria)],
    method: readMethod(tender),
    methodType: readMethodType(tender),
    budgetSatang: readBudget(budget, fields),
    estimateSatang: valueAt(tender, 'value', 'ราคากลาง (tender.value)', fields),
    biddingInvitedOn: toDay(dateAt(tender, 'datePublished', 'วันที่ประกาศเชิญชวน (tender.datePublished)', 'past', fields)),
    submissionEndsOn: toDay(deadline),
    submissionTime: deadline === null ? null : deadline?.time,
    attachments: readAttachments(release, tender, fields),
    statedAt: readStatedAt(release),
    ...readOcdsAwards(release, fields),
  }
  const isForeign = fields.doubts.some(({ kind }) => kind === 'amount_currency') && !hasAmount(record)
  if (isForeign) throw new FeedFieldError('จำนวนเงินทั้งหมดไม่ใช่บาท (THB)')
  return removeDoubtfulAmounts(record, fields.doubts)
}

const hasAmount = ({ budgetSatang, estimateSatang, winnerSatang, contracts = [] }: FeedRecord) =>
  [budgetSatang, estimateSatang, winnerSatang, ...contracts.map(({ amountSatang }) => amountSatang)].some(
    (amount) => typeof amount === 'number',
  )

function readStatedAt(release: OcdsNode): string | undefined {
  const time = Date.parse(String(release.date ?? ''))
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

function readProjectId(release: OcdsNode, tender: OcdsNode, budget: OcdsNode): string {
  const ocid = textAt(release, 'ocid') ?? ''
  const candidates = [textAt(tender, 'id'), textAt(budget, 'projectID'), ocid.split('-').at(-1)]
  const projectId = candidates.find((id) => typeof id === 'string' && PROJECT_ID.test(id)) ?? ocid
  if (projectId === '') throw new FeedFieldError('ไม่มี ocid')
  return projectId
}

function findBuyingUnit(release: OcdsNode, tender: OcdsNode): OcdsNode {
  const parties = listAt(release, 'parties')
  const hasRole = (role: string) => parties.find((party) => Array.isArray(party.roles) && party.roles.includes(role))
  const procuringEntity = nodeAt(tender, 'procuringEntity')
  return (
    hasRole('procuringEntity') ??
    (procuringEntity.name === undefined ? undefined : procuringEntity) ??
    hasRole('buyer') ??
    {}
  )
}

/** Bangkok's budget id starts with the two-digit Buddhist year. */
function readFiscalYear(budget: OcdsNode): number | undefined {
  const id = textAt(budget, 'id')
  return typeof id === 'string' && /^[5-9]\d{7,}$/.test(id) ? 2500 + Number(id.slice(0, 2)) : undefined
}

/** The standard field is `planning.budget.amount`; Bangkok uses `planning.budget.value`. */
function readBudget(budget: OcdsNode, fields: DoubtfulFields): number | null | undefined {
  return valueAt(budget, budget.amount === undefined ? 'value' : 'amount', 'งบประมาณ (planning.budget)', fields)
}

function readMethod(tender: OcdsNode): string | undefined {
  const details = textAt(tender, 'procurementMethodDetails')
  if (typeof details === 'string') return toMethodCode(details)
  const method = textAt(tender, 'procurementMethod')
  // "open" is ambiguous (e-bidding, e-market or open invitation of consultants), so it stays as received.
  return typeof method === 'string' ? (METHODS[method] ?? method) : undefined
}

function readMethodType(tender: OcdsNode): string | undefined {
  const additional = Array.isArray(tender.additionalProcurementCategories)
    ? tender.additionalProcurementCategories[0]
    : undefined
  if (typeof additional === 'string') return toMethodTypeCode(additional)
  const category = textAt(tender, 'mainProcurementCategory')
  return typeof category === 'string' ? (CATEGORIES[category] ?? category) : undefined
}

function readAttachments(
  release: OcdsNode,
  tender: OcdsNode,
  fields: DoubtfulFields,
): readonly FeedAttachment[] | undefined {
  const sections: readonly (readonly [string, readonly OcdsNode[]])[] = [
    ['draft_published', [nodeAt(release, 'planning')]],
    ['invited', [tender]],
    ['winner_announced', listAt(release, 'awards')],
    ['contract_created', listAt(release, 'contracts')],
  ]
  const attachments = sections.flatMap(([step, nodes]) =>
    nodes.flatMap((node) => listAt(node, 'documents')).flatMap((document) => readDocument(document, step, fields)),
  )
  return attachments.length > 0 ? attachments : undefined
}

function readDocument(document: OcdsNode, step: string, fields: DoubtfulFields): FeedAttachment[] {
  const url = textAt(document, 'url')
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return []
  const publishedOn = toDay(dateAt(document, 'datePublished', 'วันที่ของเอกสาร (datePublished)', 'past', fields))
  return [{ url, name: textAt(document, 'title') ?? url, step, publishedOn }]
}
