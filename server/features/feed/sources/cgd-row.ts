import {
  type Cell,
  FieldError,
  parseFeedDate,
  readDate,
  readDegrees,
  readFiscalYear,
  readMoney,
  readText,
} from '../feed-field.ts'
import type { FeedContract, FeedRecord } from '../feed-source.ts'
import { hasValidCheckDigit } from '../tax-id.ts'
import { isMethodFamily, methodCode, methodTypeCode, provinceCode, provinceInTitle } from '../vocabulary.ts'

/** Fields of a CGD contract row by the names of the CGD API, which the CSV headers are mapped to. */
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
export type CgdCells = { readonly [field in CgdField]?: Cell }
export type CgdContractCells = { readonly [field in (typeof CGD_CONTRACT_FIELDS)[number]]?: Cell }

const PROJECT_ID = /^\d{11}$/
const TIN = /^([\dxX]{13}|D\d{12})$/
const PLACEHOLDER_TIN = '0000000000000'

export type CgdRead = { readonly record: FeedRecord; readonly warnings: readonly string[] }

/**
 * One project of the CGD contract data with its contracts.
 *
 * `จังหวัด` is where the purchasing unit lies: in the real rows it never differs between projects of one unit (0 of 1,610
 * units). The project is where its title says, and else there too; district and tambon are the unit's.
 *
 * @throws FieldError when the project number, title, department, a date, an amount or a province cannot be read.
 */
export function readCgdProject(cells: CgdCells, contracts: readonly CgdContractCells[]): CgdRead {
  const warnings: string[] = []
  const signedContracts = contracts.flatMap((contract) => readContract(contract, warnings))
  const province = readProvince(cells.province)
  const name = required(cells.project_name, 'ชื่อโครงการ')
  const place = provinceInTitle(name) ?? province
  const isAtUnit = place === province
  const latitude = readDegrees(cells.lat, 5, 21)
  const longitude = readDegrees(cells.lon, 97, 106)
  const methodType = readText(cells.project_type_name)
  const record: FeedRecord = {
    projectId: readProjectId(cells.project_id),
    name,
    deptName: required(cells.dept_name, 'ชื่อหน่วยงาน'),
    deptSubName: readText(cells.dept_sub_name) ?? undefined,
    deptProvince: province,
    projectProvince: place,
    district: isAtUnit ? readText(cells.district) : undefined,
    subdistrict: isAtUnit ? readText(cells.subdistrict) : undefined,
    // Half a position is none.
    latitude: latitude === undefined || longitude === undefined ? undefined : latitude,
    longitude: latitude === undefined || longitude === undefined ? undefined : longitude,
    fiscalYear: readFiscalYear(cells.budget_year),
    status: readText(cells.project_status),
    method: methodOf(cells),
    methodType: methodType === null || methodType === undefined ? undefined : methodTypeCode(methodType),
    budgetSatang: readMoney(cells.project_money, 'งบประมาณ'),
    estimateSatang: readMoney(cells.price_build, 'ราคากลาง'),
    winnerSatang: readMoney(cells.sum_price_agree, 'ราคาตกลงซื้อ/จ้าง'),
    biddingInvitedOn: readDate(cells.announce_date, 'วันที่ประกาศ'),
    contracts: signedContracts.length > 0 ? signedContracts : undefined,
  }
  return { record, warnings }
}

function readProjectId(cell: Cell): string {
  const text = readText(cell) ?? ''
  if (!PROJECT_ID.test(text)) throw new FieldError(`รหัสโครงการ "${text}" ไม่ใช่เลข 11 หลัก`)
  return text
}

function required(cell: Cell, label: string): string {
  const text = readText(cell)
  if (text === null || text === undefined) throw new FieldError(`ไม่มี${label}`)
  return text
}

function readProvince(cell: Cell): number | null | undefined {
  const text = readText(cell)
  if (text === null || text === undefined) return text
  const code = provinceCode(text)
  if (code === undefined) throw new FieldError(`ไม่รู้จักจังหวัด "${text}"`)
  return code
}

/** The upstream CSV has method and family in each other's column; whichever of the two is no family is the method. */
function methodOf(cells: CgdCells): string | undefined {
  const texts = [readText(cells.purchase_method_name), readText(cells.purchase_method_group_name)]
  const method = texts.find((text) => typeof text === 'string' && !isMethodFamily(text))
  return typeof method === 'string' ? methodCode(method) : undefined
}

/** No contract when neither number, winner nor date is there: the project has none yet. */
function readContract(cells: CgdContractCells, warnings: string[]): FeedContract[] {
  const winnerTin = readTin(cells.winner_tin, warnings)
  const winnerName = readText(cells.winner)
  const contractNo = readText(cells.contract_no)
  const signedOn = readDate(cells.contract_date, 'วันที่ลงนามสัญญา')
  if (typeof winnerName === 'string' && parseFeedDate(winnerName) !== undefined)
    throw new FieldError(`ชื่อผู้ชนะ "${winnerName}" เป็นวันที่: คอลัมน์ของสัญญาเลื่อน`)
  if (!winnerTin && !winnerName && !contractNo && !signedOn) return []
  return [
    {
      contractNo: contractNo ?? '',
      winnerTin,
      winnerName,
      amountSatang: readMoney(cells.contract_price_agree, 'งบสัญญา'),
      signedOn,
      endsOn: readDate(cells.contract_finish_date, 'วันที่สิ้นสุดสัญญา'),
      status: readText(cells.contract_status),
    },
  ]
}

function readTin(cell: Cell, warnings: string[]): string | null | undefined {
  const text = readText(cell)
  if (text === null || text === undefined) return text
  const tin = text.replace(/[\s-]/g, '')
  if (tin === PLACEHOLDER_TIN) return null
  if (!TIN.test(tin)) {
    warnings.push(`เลขนิติบุคคล "${text}" ไม่ใช่รูปแบบที่รู้จัก`)
    return text
  }
  if (!hasValidCheckDigit(tin)) warnings.push(`เลขนิติบุคคล ${tin} ไม่ผ่านการตรวจเลขท้าย`)
  return tin
}
