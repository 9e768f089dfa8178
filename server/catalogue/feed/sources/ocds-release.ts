import { FeedFieldError, LenientFieldReader } from '#server/catalogue/feed/feed-field.ts'
import type { FeedAttachment, FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import {
  findProvinceInTitle,
  toProcurementMethodCode,
  toProcurementMethodTypeCode,
  toProvinceCode,
} from '#server/catalogue/feed/feed-vocabulary.ts'
import { getOcdsDateDay, parseOcdsAwards } from './ocds-awards.ts'
import {
  getOcdsCode,
  getOcdsDate,
  getOcdsNode,
  getOcdsNodeList,
  getOcdsText,
  getOcdsValue,
  type OcdsNode,
} from './ocds-node.ts'
import { getOcdsReleaseTitle } from './ocds-package.ts'
import { removeImplausibleAmounts } from './remove-implausible-amounts.ts'

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
export function parseOcdsRelease(release: OcdsNode): FeedRecord {
  const fields = new LenientFieldReader()
  const tender = getOcdsNode(release, 'tender')
  const budget = getOcdsNode(getOcdsNode(release, 'planning'), 'budget')
  const unit = findBuyingUnit(release, tender)
  const region = getOcdsText(getOcdsNode(unit, 'address'), 'region')
  const province = toProvinceCode(region ?? '')
  if (region && province === undefined) fields.add('province_unknown', 'จังหวัด (address.region)', region)
  const submission = getOcdsNode(tender, 'tenderPeriod')
  const name = getOcdsReleaseTitle(release)
  const projectProvince = (name === undefined ? undefined : findProvinceInTitle(name)) ?? province
  const deadline = getOcdsDate(
    submission,
    'endDate',
    'วันสิ้นสุดยื่นข้อเสนอ (tender.tenderPeriod.endDate)',
    'deadline',
    fields,
  )
  const record: FeedRecord = {
    projectId: readProjectId(release, tender, budget),
    name,
    deptName: getOcdsText(getOcdsNode(release, 'buyer'), 'name') ?? getOcdsText(unit, 'name') ?? undefined,
    deptSubName: getOcdsText(unit, 'name') ?? undefined,
    deptProvince: province,
    projectProvince,
    // The address is that of the purchasing unit, so use its district only if the project is in the same province.
    district: projectProvince === province ? getOcdsText(getOcdsNode(unit, 'address'), 'locality') : undefined,
    fiscalYear: readFiscalYear(budget),
    status: hasListed(release.tag, 'tenderCancellation') ? STATUSES.cancelled : STATUSES[getOcdsCode(tender, 'status')],
    criteria: CRITERIA[String(tender.awardCriteria)],
    method: readMethod(tender),
    methodType: readMethodType(tender),
    budgetSatang: readBudget(budget, fields),
    estimateSatang: getOcdsValue(tender, 'value', 'ราคากลาง (tender.value)', fields),
    biddingInvitedOn: getOcdsDateDay(
      getOcdsDate(tender, 'datePublished', 'วันที่ประกาศเชิญชวน (tender.datePublished)', 'past', fields),
    ),
    submissionEndsOn: getOcdsDateDay(deadline),
    submissionTime: deadline === null ? null : deadline?.time,
    attachments: readAttachments(release, tender, fields),
    statedAt: readStatedAt(release),
    ...parseOcdsAwards(release, fields),
  }
  const isForeign = fields.doubts.some(({ kind }) => kind === 'amount_currency') && !hasAmount(record)
  if (isForeign) throw new FeedFieldError('จำนวนเงินทั้งหมดไม่ใช่บาท (THB)')
  return removeImplausibleAmounts(record, fields.doubts)
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
  const ocid = getOcdsText(release, 'ocid') ?? ''
  const candidates = [getOcdsText(tender, 'id'), getOcdsText(budget, 'projectID'), ocid.split('-').at(-1)]
  const projectId = candidates.find((id) => typeof id === 'string' && PROJECT_ID.test(id)) ?? ocid
  if (projectId === '') throw new FeedFieldError('ไม่มี ocid')
  return projectId
}

/** Publishers also write a list of one as text. */
const hasListed = (list: unknown, code: string): boolean => (Array.isArray(list) ? list.includes(code) : list === code)

function findBuyingUnit(release: OcdsNode, tender: OcdsNode): OcdsNode {
  const parties = getOcdsNodeList(release, 'parties')
  const hasRole = (role: string) => parties.find((party) => hasListed(party.roles, role))
  const procuringEntity = getOcdsNode(tender, 'procuringEntity')
  return (
    hasRole('procuringEntity') ??
    (procuringEntity.name === undefined ? undefined : procuringEntity) ??
    hasRole('buyer') ??
    {}
  )
}

/** Bangkok's budget id starts with the two-digit Buddhist year. */
function readFiscalYear(budget: OcdsNode): number | undefined {
  const id = getOcdsText(budget, 'id')
  return typeof id === 'string' && /^[5-9]\d{7,}$/.test(id) ? 2500 + Number(id.slice(0, 2)) : undefined
}

/** The standard field is `planning.budget.amount`; Bangkok uses `planning.budget.value`. */
function readBudget(budget: OcdsNode, fields: LenientFieldReader): number | null | undefined {
  return getOcdsValue(budget, budget.amount === undefined ? 'value' : 'amount', 'งบประมาณ (planning.budget)', fields)
}

function readMethod(tender: OcdsNode): string | undefined {
  const details = getOcdsText(tender, 'procurementMethodDetails')
  if (typeof details === 'string') return toProcurementMethodCode(details)
  const method = getOcdsText(tender, 'procurementMethod')
  // "open" is ambiguous (e-bidding, e-market or open invitation of consultants), so it stays as received.
  return typeof method === 'string' ? (METHODS[method] ?? method) : undefined
}

function readMethodType(tender: OcdsNode): string | undefined {
  const additional = Array.isArray(tender.additionalProcurementCategories)
    ? tender.additionalProcurementCategories[0]
    : undefined
  if (typeof additional === 'string') return toProcurementMethodTypeCode(additional)
  const category = getOcdsText(tender, 'mainProcurementCategory')
  return typeof category === 'string' ? (CATEGORIES[category] ?? category) : undefined
}

function readAttachments(
  release: OcdsNode,
  tender: OcdsNode,
  fields: LenientFieldReader,
): readonly FeedAttachment[] | undefined {
  const sections: readonly (readonly [string, readonly OcdsNode[]])[] = [
    ['draft_published', [getOcdsNode(release, 'planning')]],
    ['invited', [tender]],
    ['winner_announced', getOcdsNodeList(release, 'awards')],
    ['contract_created', getOcdsNodeList(release, 'contracts')],
  ]
  const attachments = sections.flatMap(([step, nodes]) =>
    nodes
      .flatMap((node) => getOcdsNodeList(node, 'documents'))
      .flatMap((document) => readDocument(document, step, fields)),
  )
  return attachments.length > 0 ? attachments : undefined
}

function readDocument(document: OcdsNode, step: string, fields: LenientFieldReader): FeedAttachment[] {
  const url = getOcdsText(document, 'url')
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return []
  const publishedOn = getOcdsDateDay(
    getOcdsDate(document, 'datePublished', 'วันที่ของเอกสาร (datePublished)', 'past', fields),
  )
  return [{ url, name: getOcdsText(document, 'title') ?? url, step, publishedOn }]
}
