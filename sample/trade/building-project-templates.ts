import { type BuyerWeights, parseBuyerWeights } from '#sample/buyer-kinds.ts'
import { generateVillageName } from '#sample/place-names.ts'
import {
  clamp,
  formatSampleTitleNumber,
  formatSiteAddress,
  roundToSignificantDigits,
  type SampleTitleContext,
} from '#sample/title-words.ts'
import { composeSampleTitleEnding, type GeneratedProjectDraft, type ProjectTemplate } from './templates.ts'

type BuildingRow = {
  readonly name: string
  /** Minimum and maximum price in baht. */
  readonly price: readonly [number, number]
  readonly unit: string
  /** Baht per square metre, when the title may state the area; 0 for none. */
  readonly perSquareMetre: number
}

type BuildingGroup = { readonly for: string; readonly site: 'village' | 'buyer'; readonly rows: string }

// One building per line: name | amount low-high in million baht | unit | baht per square metre (0: no area in the
// title).
const GROUPS: readonly BuildingGroup[] = [
  {
    for: 'tambon:8 municipality:9 pao:6 town:5 province_hall:5',
    site: 'village',
    rows: `
ก่อสร้างอาคารอเนกประสงค์ประจำหมู่บ้าน|0.6-6|หลัง|9500
ก่อสร้างโดมอเนกประสงค์โครงหลังคาเหล็ก|1.2-7|หลัง|6200
ก่อสร้างลานกีฬาอเนกประสงค์พร้อมไฟส่องสว่าง|0.5-3.5|แห่ง|0
ก่อสร้างลานตากผลผลิตทางการเกษตร|0.3-1.4|แห่ง|620
ก่อสร้างศาลาประชาคมหมู่บ้าน|0.4-1.9|หลัง|8800
ปรับปรุงภูมิทัศน์และพื้นที่สาธารณะริมน้ำ|0.6-18|แห่ง|0
ก่อสร้างห้องน้ำสาธารณะและห้องน้ำคนพิการ|0.3-1.2|หลัง|0
ก่อสร้างเตาเผาศพปลอดมลพิษ|1.6-4.2|แห่ง|0`,
  },
  {
    for: 'tambon:4 municipality:5 town:9 pao:4 bangkok:9',
    site: 'buyer',
    rows: `
ก่อสร้างศูนย์พัฒนาเด็กเล็ก ขนาดกลาง|2.4-6.5|หลัง|0
ก่อสร้างอาคารสำนักงานหลังใหม่ 2 ชั้น|6-28|หลัง|14500
ต่อเติมและปรับปรุงอาคารสำนักงาน|0.6-4.8|แห่ง|0
ก่อสร้างรั้วและป้ายชื่อหน่วยงาน|0.3-1.6|แห่ง|0
ก่อสร้างอาคารจอดรถและโรงเก็บเครื่องจักรกล|0.5-5|หลัง|4800
ก่อสร้างตลาดสดเทศบาลและลานการค้าชุมชน|6-48|แห่ง|9800
ปรับปรุงสนามกีฬากลางและอัฒจันทร์|2-36|แห่ง|0
ก่อสร้างสวนสาธารณะและทางวิ่งเพื่อสุขภาพ|3-40|แห่ง|0
ก่อสร้างอาคารป้องกันและบรรเทาสาธารณภัย|4-18|หลัง|13500`,
  },
  {
    for: 'hospital:7 health_office:19',
    site: 'buyer',
    rows: `
ก่อสร้างอาคารผู้ป่วยนอกและอุบัติเหตุ 5 ชั้น (โครงสร้างต้านแผ่นดินไหว)|85-290|หลัง|16500
ก่อสร้างอาคารผู้ป่วยใน 114 เตียง (โครงสร้างต้านแผ่นดินไหว)|60-170|หลัง|19000
ก่อสร้างอาคารพักเจ้าหน้าที่ 24 ยูนิต|12-26|หลัง|15500
ก่อสร้างอาคารสนับสนุนบริการ 2 ชั้น|6-24|หลัง|14500
ปรับปรุงหอผู้ป่วยและห้องแยกโรคความดันลบ|0.8-9|ห้อง|0
ปรับปรุงห้องผ่าตัดและระบบหมุนเวียนอากาศ|1.8-14|ห้อง|0
ก่อสร้างระบบบำบัดน้ำเสียและอาคารควบคุม|4-24|ระบบ|0
ซ่อมแซมหลังคาและฝ้าเพดานอาคารผู้ป่วยนอก|0.5-3.5|แห่ง|0
ก่อสร้างทางเชื่อมอาคารและหลังคาคลุมทางเดิน|0.5-6|แห่ง|0`,
  },
  {
    for: 'school:23 college:20 university:26 faculty:6 medical_school:5',
    site: 'buyer',
    rows: `
ก่อสร้างอาคารเรียน 3 ชั้น 12 ห้องเรียน (ใต้ถุนโล่ง)|14-29|หลัง|0
ก่อสร้างอาคารเรียนและปฏิบัติการรวม 5 ชั้น|42-190|หลัง|18500
ก่อสร้างหอประชุมและโรงอาหาร|6-34|หลัง|13500
ปรับปรุงซ่อมแซมอาคารเรียนและห้องน้ำ|0.4-4.5|แห่ง|0
ปรับปรุงห้องปฏิบัติการและห้องเรียนรวม|0.6-9|ห้อง|0
ก่อสร้างสนามฟุตซอลและลานอเนกประสงค์|0.6-4|แห่ง|0
ก่อสร้างรั้วและถนนภายในสถานศึกษา|0.4-5|แห่ง|0
ซ่อมแซมอาคารที่ได้รับความเสียหายจากวาตภัย|0.4-2.2|หลัง|0`,
  },
  {
    for: 'college:3 university:5',
    site: 'buyer',
    rows: `
ก่อสร้างหอพักนักศึกษา 5 ชั้น|32-120|หลัง|15500
ปรับปรุงอาคารกิจกรรมนักศึกษาและโรงอาหาร|0.9-12|หลัง|0`,
  },
  {
    for: 'office:13 province_hall:11 agriculture:7 police:22 prison:20 forest:8 tourism:2 disaster:9 ministry:4 laboratory:7 utility:5 airport:9 public_works:9 highway:1 irrigation:1.4 water:1',
    site: 'buyer',
    rows: `
ก่อสร้างอาคารที่ทำการ 2 ชั้น|6-42|หลัง|15500
ก่อสร้างอาคารชุดพักอาศัย 5 ชั้น|18-62|หลัง|14500
ก่อสร้างบ้านพักข้าราชการ ระดับปฏิบัติการ|0.9-3.2|หลัง|14000
ปรับปรุงซ่อมแซมอาคารสำนักงานและระบบสาธารณูปโภค|0.5-7|แห่ง|0
ปรับปรุงอาคารบริการประชาชนตามหลักอารยสถาปัตย์|0.5-4.5|แห่ง|0
ก่อสร้างรั้วตาข่ายถักและแนวเขตที่ดิน|0.4-4|แห่ง|0
ก่อสร้างลานจอดรถและหลังคาคลุม|0.5-5|แห่ง|0
ซ่อมแซมหลังคาและกันซึมดาดฟ้าอาคาร|0.3-2.6|แห่ง|0
ก่อสร้างอาคารเก็บพัสดุและครุภัณฑ์|0.7-6|หลัง|9800`,
  },
]

export const BUILDING_PROJECT_TEMPLATES: readonly ProjectTemplate[] = GROUPS.flatMap((group) => {
  const rows = group.rows.trim().split('\n').map(readBuilding)
  const weights = parseBuyerWeights(group.for)
  const rowWeights = Object.fromEntries(
    Object.entries(weights).map(([kind, weight]) => [kind, weight / rows.length]),
  ) as BuyerWeights
  return rows.map((row) => ({
    trade: 'buildings',
    buyers: rowWeights,
    compose: (context: SampleTitleContext) => composeBuilding(group, row, context),
  }))
})

function readBuilding(line: string): BuildingRow {
  const [name = '', price = '', unit = '', perSquareMetre = '0'] = line.split('|')
  const [low, high] = price.split('-').map((part) => Number(part) * 1_000_000)
  return { name, unit, price: [low!, high!], perSquareMetre: Number(perSquareMetre) }
}

function composeBuilding(group: BuildingGroup, row: BuildingRow, context: SampleTitleContext): GeneratedProjectDraft {
  const { random } = context
  const [low, high] = row.price
  const budget = roundToSignificantDigits(
    clamp(
      context.target * (0.8 + random.next() * 0.5),
      low * (1 + random.next() * 0.3),
      high * (0.7 + random.next() * 0.3),
    ),
    4,
  )
  const head = random.chance(group.site === 'village' ? 0.6 : 0.32) ? `โครงการ${row.name}` : row.name
  const area = Math.round(budget / row.perSquareMetre / 5) * 5
  const size =
    row.perSquareMetre > 0 && random.chance(0.45) ? ` พื้นที่ใช้สอยไม่น้อยกว่า ${formatSampleTitleNumber(area)} ตารางเมตร` : ''
  const count = random.chance(0.35) ? ` จำนวน 1 ${row.unit}` : ''
  const location = group.site === 'village' ? villageSite(context) : composeSampleTitleEnding(context, 0)
  const days = clamp(Math.round(Math.sqrt(budget) / 12 / 15) * 15, 60, 900)
  const isWork = /^(ซ่อมแซม|ปรับปรุง)/u.test(row.name) && random.chance(0.3)
  return {
    body: head + size + location + count,
    budget,
    type: isWork ? 'service' : 'construct',
    trade: 'buildings',
    days,
    isCatalogued: false,
  }
}

function villageSite(context: SampleTitleContext): string {
  const { random, province } = context
  const village = ` ${generateVillageName(random, province)} หมู่ที่ ${random.int(1, 16)}`
  return random.chance(0.4) ? `${village} ${formatSiteAddress(context)}` : village
}
