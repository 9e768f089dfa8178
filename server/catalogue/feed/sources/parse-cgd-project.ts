import { parseFeedDate } from '#server/catalogue/feed/feed-date.ts'
import {
  type FeedCell,
  FeedFieldError,
  isPlaceholderName,
  LenientFieldReader,
  parseCoordinateCell,
  parseFiscalYearCell,
  parseTenderPartyNameCell,
  parseTextCell,
  removeSpreadsheetArtefacts,
} from '#server/catalogue/feed/feed-field.ts'
import type { FeedContract, FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import {
  findProvinceInTitle,
  isProcurementMethodFamily,
  toProcurementMethodCode,
  toProcurementMethodTypeCode,
  toProvinceCode,
} from '#server/catalogue/feed/feed-vocabulary.ts'
import { isMojibake, MOJIBAKE_MESSAGE } from '#server/catalogue/feed/file/encoding.ts'
import { readTaxIdCell } from '#server/catalogue/feed/tax-id-check-digit.ts'
import { removeImplausibleAmounts } from './remove-implausible-amounts.ts'

export const CGD_PROJECT_FIELDS = [
  'project_id',
  'project_name',
  'project_type_name',
  'dept_name',
  'dept_sub_name',
  'purchase_method_group_name',
  'purchase_method_name',
  'announce_date',
  'project_money',
  'price_build',
  'sum_price_agree',
  'budget_year',
  'transaction_date',
  'province',
  'district',
  'subdistrict',
  'project_status',
  'lat',
  'lon',
] as const
export const CGD_CONTRACT_FIELDS = [
  'winner_tin',
  'winner',
  'contract_no',
  'contract_date',
  'contract_finish_date',
  'contract_price_agree',
  'contract_status',
] as const
export type CgdField = (typeof CGD_PROJECT_FIELDS)[number] | (typeof CGD_CONTRACT_FIELDS)[number]
export type CgdCells = { readonly [field in CgdField]?: FeedCell }
export type CgdContractCells = { readonly [field in (typeof CGD_CONTRACT_FIELDS)[number]]?: FeedCell }

const PROJECT_ID = /^\d{11}$/

/**
 * Reads one CGD project with its contracts. An unreadable field is omitted with a doubt; an empty one leaves the stored
 * value. `จังหวัด` is the province of the purchasing unit: it never differs between projects of a unit (0 of 1,610 real
 * units). The project's province comes from its title, with the unit's as fallback; district and tambon are the unit's.
 * @throws FeedFieldError when the project number, title or department is unreadable, or so many fields that the columns
 * must be shifted.
 */
export function parseCgdProject(cells: CgdCells, contracts: readonly CgdContractCells[]): FeedRecord {
  const projectId = readProjectId(cells.project_id)
  const name = required(cells.project_name, 'ชื่อโครงการ')
  const deptName = required(cells.dept_name, 'ชื่อหน่วยงาน')
  if (isMojibake(`${name} ${deptName}`)) throw new FeedFieldError(MOJIBAKE_MESSAGE)
  const fields = new LenientFieldReader()
  const signedContracts = contracts.flatMap((contract) => readContract(contract, fields))
  const province = readProvince(cells.province, fields)
  const projectProvince = findProvinceInTitle(name) ?? province
  const isAtUnit = projectProvince === province
  const latitude = parseCoordinateCell(cells.lat, 5, 21)
  const longitude = parseCoordinateCell(cells.lon, 97, 106)
  const methodType = parseTextCell(cells.project_type_name)
  const record: FeedRecord = {
    projectId,
    name,
    deptName,
    deptSubName: parseTextCell(cells.dept_sub_name) ?? undefined,
    deptProvince: province,
    projectProvince,
    district: isAtUnit ? (parseTextCell(cells.district) ?? undefined) : undefined,
    subdistrict: isAtUnit ? (parseTextCell(cells.subdistrict) ?? undefined) : undefined,
    latitude: latitude === undefined || longitude === undefined ? undefined : (latitude ?? undefined),
    longitude: latitude === undefined || longitude === undefined ? undefined : (longitude ?? undefined),
    fiscalYear:
      fields.read('fiscal_year_unreadable', 'ปีงบประมาณ', cells.budget_year, () =>
        parseFiscalYearCell(cells.budget_year),
      ) ?? undefined,
    status: parseTextCell(cells.project_status) ?? undefined,
    method: methodOf(cells),
    methodType: methodType === null || methodType === undefined ? undefined : toProcurementMethodTypeCode(methodType),
    budgetSatang: fields.money(cells.project_money, 'งบประมาณ'),
    estimateSatang: fields.money(cells.price_build, 'ราคากลาง'),
    winnerSatang: fields.money(cells.sum_price_agree, 'ราคาตกลงซื้อ/จ้าง'),
    biddingInvitedOn: fields.date(cells.announce_date, 'วันที่ประกาศ', 'past')?.day,
    contracts: signedContracts.length > 0 ? signedContracts : undefined,
  }
  return removeImplausibleAmounts(record, fields.doubts)
}

const GROUPED_DIGITS = /^\d{1,3}(?:,\d{3}){3}(?:\.0+)?$/

/** Matches long numbers that a spreadsheet saved as 6.91E+10, which loses digits. */
const EXPONENT = /^\d(?:\.\d+)?e\+?\d+$/i

function readProjectId(cell: FeedCell): string {
  const text = parseTextCell(cell) ?? ''
  if (PROJECT_ID.test(text)) return text
  const digits = removeSpreadsheetArtefacts(GROUPED_DIGITS.test(text) ? text.replaceAll(',', '') : text)
  if (PROJECT_ID.test(digits)) return digits
  const labelled = digits.replace(/^(?:#|[([]|(?:เลขที่|รหัส)?(?:โครงการ)?(?:e-?gp)?:?)|[)\]]$|(?<=\d)[-‐–](?=\d)/gi, '')
  if (PROJECT_ID.test(labelled)) return labelled
  if (EXPONENT.test(digits))
    throw new FeedFieldError(
      `รหัสโครงการ "${text}" ถูกโปรแกรมตารางปัดเป็นเลขยกกำลัง เลขเดิมหายไป ตั้งคอลัมน์เป็นข้อความแล้วบันทึกใหม่จากไฟล์ต้นฉบับ`,
    )
  if (text === '' || /รวม|total/i.test(text)) throw new FeedFieldError('ไม่มีรหัสโครงการ (แถวยอดรวมหรือหมายเหตุ)')
  throw new FeedFieldError(`รหัสโครงการ "${text}" ไม่ใช่เลข 11 หลัก`)
}

/** Matches Thai letters that a program could not write, as in "?????? 10 ???". */
const LOST_LETTERS = /\?{4}/

function required(cell: FeedCell, label: string): string {
  const text = parseTextCell(cell)
  if (text !== null && text !== undefined && LOST_LETTERS.test(text))
    throw new FeedFieldError(`${label}: ตัวอักษรไทยกลายเป็นเครื่องหมาย ? ส่งออกใหม่เป็น UTF-8`)
  if (text === null || text === undefined || isPlaceholderName(text)) throw new FeedFieldError(`ไม่มี${label}`)
  return text
}

function readProvince(cell: FeedCell, fields: LenientFieldReader): number | undefined {
  const text = parseTextCell(cell)
  if (text === null || text === undefined) return undefined
  const code = toProvinceCode(text)
  if (code === undefined) fields.fail('province_unknown', 'จังหวัด', text)
  return code
}

/**
 * Returns the purchasing method. The upstream CSV swaps method and family, so the value that is not a family is the
 * method.
 */
function methodOf(cells: CgdCells): string | undefined {
  const texts = [parseTextCell(cells.purchase_method_name), parseTextCell(cells.purchase_method_group_name)]
  const method = texts.find((text) => typeof text === 'string' && !isProcurementMethodFamily(text))
  return typeof method === 'string' ? toProcurementMethodCode(method) : undefined
}

/** A contract that ends years before its signature has a wrong date; signing some months late is common. */
const MAX_YEARS_SIGNED_AFTER_END = 2

/** Returns no contract when number, winner and date are all missing: the project has none yet. */
function readContract(cells: CgdContractCells, fields: LenientFieldReader): FeedContract[] {
  const winnerTin = readTaxIdCell(cells.winner_tin, fields)
  const winnerName = parseTenderPartyNameCell(cells.winner)
  const contractNo = parseTextCell(cells.contract_no)
  const signedOn = fields.date(cells.contract_date, 'วันที่ลงนามสัญญา', 'past')?.day
  if (winnerName !== undefined && parseFeedDate(winnerName) !== undefined)
    throw new FeedFieldError(`ชื่อผู้ชนะ "${winnerName}" เป็นวันที่: คอลัมน์ของสัญญาเลื่อน`)
  if (!winnerTin && !winnerName && !contractNo && !signedOn) return []
  let endsOn = fields.date(cells.contract_finish_date, 'วันที่สิ้นสุดสัญญา', 'end')?.day
  if (endsOn && signedOn && Number(endsOn.slice(0, 4)) < Number(signedOn.slice(0, 4)) - MAX_YEARS_SIGNED_AFTER_END) {
    fields.add('date_impossible', 'วันที่สิ้นสุดสัญญา', cells.contract_finish_date)
    endsOn = undefined
  }
  return [
    {
      contractNo: contractNo ?? '',
      winnerTin,
      winnerName,
      amountSatang: fields.money(cells.contract_price_agree, 'งบสัญญา'),
      signedOn,
      endsOn,
      status: parseTextCell(cells.contract_status) ?? undefined,
    },
  ]
}
