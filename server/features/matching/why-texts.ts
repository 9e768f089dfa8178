import { provinceCoded } from '#contract/province.ts'
import { formatBangkokTime, formatThaiDateShort } from '#contract/thai-date.ts'
import { formatBahtCompact } from '#contract/thai-number.ts'
import type { AskedProject } from './queries-why.ts'
import { type Gate, refusalOf } from './rules.ts'

type Answer = { readonly passed: boolean; readonly text: string }

const OPEN: Gate = {
  isSampleOnly: false,
  minSatang: 0,
  maxSatang: Number.POSITIVE_INFINITY,
  provinces: undefined,
  from: undefined,
  to: undefined,
}
const money = (satang: number) => `${formatBahtCompact(satang / 100)}บาท`.replace(/(\d)บาท$/, '$1 บาท')

/** `dataTime`: moment of the newest load, UTC ISO. */
export function unknownText(id: string | undefined, dataTime: string | null): string {
  if (id === undefined) return 'ไม่พบเลขที่โครงการในข้อความนี้ เลขที่โครงการของ e-GP เป็นตัวเลข 11 หลัก'
  const asOf = dataTime === null ? '' : ` ข้อมูลล่าสุดเมื่อ ${formatBangkokTime(new Date(dataTime))} น.`
  return `ยังไม่มีเลขที่โครงการ ${id} ในระบบ อาจยังไม่ประกาศ ประกาศหลังข้อมูลรอบล่าสุด หรืออยู่นอกข้อมูลที่นำเข้า${asOf}`
}

export function knownText({ movement_on, is_stored }: AskedProject, inReport: boolean): string {
  const known = movement_on === null ? 'มีในระบบแล้ว' : `มีในระบบแล้ว เคลื่อนไหวล่าสุด ${formatThaiDateShort(movement_on)}`
  if (inReport === is_stored) return known
  // The rules changed and the matching that they asked for is not done.
  return `${known} กำลังจับคู่ใหม่ตามรายการที่เพิ่งแก้ ${inReport ? 'อีกสักครู่จะขึ้นในรายงาน' : 'อีกสักครู่จะหายไปจากรายงาน'}`
}

/** Budget, province and window are asked one by one, by the matching's own test. */
export function budgetAnswer({ minSatang, maxSatang }: Gate, project: AskedProject): Answer {
  const passed = refusalOf({ ...OPEN, minSatang, maxSatang }, project) === undefined
  const { budget_satang: budget } = project
  if (budget === null) return { passed, text: 'ยังไม่ระบุงบประมาณ ระบบให้ผ่านไว้ก่อน' }
  const limit = Number.isFinite(maxSatang)
    ? `ช่วงขององค์กร ${money(minSatang)} ถึง ${money(maxSatang)}`
    : minSatang > 0
      ? `ขั้นต่ำขององค์กร ${money(minSatang)}`
      : 'องค์กรไม่ได้จำกัดงบประมาณ'
  const side = passed ? '' : budget < minSatang ? ' ต่ำเกินไป' : ' สูงเกินไป'
  return { passed, text: `งบประมาณ ${money(budget)}${side} (${limit})` }
}

export function provinceAnswer({ provinces }: Gate, project: AskedProject): Answer {
  const passed = refusalOf({ ...OPEN, provinces }, project) === undefined
  const code = project.project_province ?? project.dept_province
  const name = code === null ? undefined : provinceCoded(code)?.th
  const allowed = provinces ? `องค์กรดูได้ ${provinces.size} จังหวัด` : 'องค์กรดูได้ทุกจังหวัด'
  if (name === undefined) return { passed, text: `ไม่ทราบจังหวัดของโครงการ (${allowed})` }
  return { passed, text: passed ? `${name} อยู่ในพื้นที่ขององค์กร (${allowed})` : `${name} อยู่นอกพื้นที่ขององค์กร (${allowed})` }
}

export function windowAnswer({ from, to }: Gate, project: AskedProject): Answer {
  const passed = refusalOf({ ...OPEN, from, to }, project) === undefined
  if (from === undefined && to === undefined) return { passed, text: 'รายงานขององค์กรไม่จำกัดช่วงวันที่' }
  const range = [from && `ตั้งแต่ ${formatThaiDateShort(from)}`, to && `ถึง ${formatThaiDateShort(to)}`]
    .filter(Boolean)
    .join(' ')
  if (project.movement_on === null) return { passed, text: `ไม่มีวันที่เคลื่อนไหว จึงอยู่นอกช่วงของรายงาน (${range})` }
  const day = formatThaiDateShort(project.movement_on)
  return { passed, text: `เคลื่อนไหวล่าสุด ${day} ${passed ? 'อยู่ใน' : 'อยู่นอก'}ช่วงของรายงาน (${range})` }
}

/** Where it is, not a refusal. */
export const hiddenText = (isHidden: boolean) =>
  isHidden ? 'คุณซ่อนโครงการนี้ไว้ ดูได้ด้วยตัวกรอง “ซ่อนไว้” หรือเลิกซ่อน' : 'คุณไม่ได้ซ่อนโครงการนี้'
export const archivedText = (isArchived: boolean) => (isArchived ? 'อยู่ในแท็บ “ส่งมอบแล้ว”' : 'อยู่ในแท็บ “กำลังดำเนินการ”')
