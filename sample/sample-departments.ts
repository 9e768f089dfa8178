import { BUYER_KINDS, type BuyerKind } from './buyer-kinds.ts'
import {
  BANGKOK_GOVERNMENT_OFFICES,
  CENTRAL_GOVERNMENT_OFFICES,
  PROVINCIAL_GOVERNMENT_OFFICES,
  SAMPLE_UNIVERSITIES,
  SAMPLE_UNIVERSITY_UNITS,
} from './department-catalogue.ts'
import { generatePlaceName } from './place-names.ts'
import { BANGKOK_PROVINCE_CODE, SAMPLE_PROVINCES, type SampleProvince } from './sample-provinces.ts'
import { createSeededRandom, createWeightedPicker, type SeededRandom } from './seeded-random.ts'

export type SampleDepartment = {
  readonly kind: BuyerKind
  readonly name: string
  /** The lowest purchasing unit (D9); the body itself when it has no units. */
  readonly subName: string
  readonly shortName: string
  readonly province: SampleProvince
  readonly district: string
  readonly subdistrict: string
  readonly isCentral: boolean
}

export type SampleDepartments = {
  readonly all: readonly SampleDepartment[]
  readonly ofKind: ReadonlyMap<BuyerKind, (random: SeededRandom) => SampleDepartment>
}

/** Returns about 3,000 public bodies in all 77 provinces; depends only on the seed. */
export function createSampleDepartments(seed: number): SampleDepartments {
  const random = createSeededRandom(seed, 'departments')
  const all: SampleDepartment[] = []
  const addedKeys = new Set<string>()

  const add = (
    kind: BuyerKind,
    province: SampleProvince,
    name: string,
    subName: string,
    overrides: Partial<SampleDepartment> = {},
  ) => {
    const key = `${name}\u001f${subName}`
    if (addedKeys.has(key)) return false
    addedKeys.add(key)
    const district = overrides.district ?? random.pick(province.districts)
    const subdistrict = overrides.subdistrict ?? generatePlaceName(random, province)
    all.push({
      kind,
      province,
      name,
      subName,
      shortName: subName,
      isCentral: false,
      ...overrides,
      district,
      subdistrict,
    })
    return true
  }
  const addPlaces = (count: number, make: (place: string) => boolean, province: SampleProvince) => {
    for (let added = 0, attempts = 0; added < count && attempts < count * 8; attempts++)
      if (make(generatePlaceName(random, province))) added++
  }

  const bangkok = SAMPLE_PROVINCES.find((province) => province.code === BANGKOK_PROVINCE_CODE)!
  for (const [kind, name, unit] of CENTRAL_GOVERNMENT_OFFICES) {
    const shortName =
      unit === undefined || /^(กอง|ฝ่าย|สำนักบริหาร|สำนักงานเลขา|ศูนย์เทค)/u.test(unit) ? name : `${unit} ${name}`
    add(kind, bangkok, name, unit ?? name, { shortName, isCentral: true })
  }
  for (const office of BANGKOK_GOVERNMENT_OFFICES)
    add('bangkok', bangkok, 'กรุงเทพมหานคร', office, { shortName: office })
  for (const district of bangkok.districts) {
    add('bangkok', bangkok, 'กรุงเทพมหานคร', `สำนักงานเขต${district}`, { district })
  }
  for (const [name, code] of SAMPLE_UNIVERSITIES) {
    const province = SAMPLE_PROVINCES.find((candidate) => candidate.code === code)!
    const home = { district: random.pick(province.districts), subdistrict: generatePlaceName(random, province) }
    for (const [kind, faculty] of SAMPLE_UNIVERSITY_UNITS) {
      add(kind, province, name, faculty, { ...home, shortName: `${faculty} ${name}` })
    }
  }
  for (const province of SAMPLE_PROVINCES) addProvince(province)
  return { all, ofKind: pickersByKind(all) }

  function addProvince(province: SampleProvince) {
    const isBangkok = province.code === BANGKOK_PROVINCE_CODE
    const size = province.districts.length
    if (!isBangkok) {
      const capital = { district: province.districts[0]! }
      add('pao', province, `องค์การบริหารส่วนจังหวัด${province.th}`, `องค์การบริหารส่วนจังหวัด${province.th}`, capital)
      for (const [kind, name, unit, share, only] of PROVINCIAL_GOVERNMENT_OFFICES) {
        if (only !== undefined && !only.has(province.code)) continue
        if (random.chance(share * 0.62) && !isServedByCapital(name, province))
          add(kind, province, name, unit.replace('{จ}', province.th), capital)
      }
      for (const district of province.districts.slice(1)) {
        if (random.chance(0.1)) {
          const unit = `ที่ทำการปกครองอำเภอ${district}`
          add('province_hall', province, 'กรมการปกครอง', unit, { district })
        }
      }
      addBody('town', province, size >= 12 ? 'เทศบาลนคร' : 'เทศบาลเมือง', 1)
      addBody('town', province, 'เทศบาลเมือง', size >= 9 ? 2 : 1)
      addBody('municipality', province, 'เทศบาลตำบล', 2 + Math.round(size * 0.38))
      addBody('tambon', province, 'องค์การบริหารส่วนตำบล', 3 + Math.round(size * 0.75))
    }
    addPlaces(
      isBangkok ? 8 : 1 + Math.round(size * 0.22),
      (place) => add('hospital', province, isBangkok ? 'กรมการแพทย์' : 'สำนักงานปลัดกระทรวงสาธารณสุข', `โรงพยาบาล${place}`),
      province,
    )
    addPlaces(
      isBangkok ? 12 : 1 + Math.round(size * 0.2),
      (place) => {
        const name = random.chance(0.6) ? `โรงเรียน${place}วิทยา` : `โรงเรียนบ้าน${place}พัฒนา`
        return add('school', province, 'สำนักงานคณะกรรมการการศึกษาขั้นพื้นฐาน', name)
      },
      province,
    )
    addPlaces(
      isBangkok ? 3 : 1,
      (place) => {
        const sort = random.pick(['วิทยาลัยเทคนิค', 'วิทยาลัยอาชีวศึกษา', 'วิทยาลัยการอาชีพ', 'วิทยาลัยเกษตรและเทคโนโลยี'])
        return add('college', province, 'สำนักงานคณะกรรมการการอาชีวศึกษา', sort + place)
      },
      province,
    )
    if (!isBangkok && random.chance(0.7)) {
      addPlaces(1, (place) => add('forest', province, 'กรมอุทยานแห่งชาติ สัตว์ป่า และพันธุ์พืช', `อุทยานแห่งชาติ${place}`), province)
    }
    if (!isBangkok) {
      addPlaces(1, (place) => add('police', province, 'สำนักงานตำรวจแห่งชาติ', `สถานีตำรวจภูธร${place}`), province)
    }
  }

  function addBody(kind: BuyerKind, province: SampleProvince, title: string, count: number) {
    const make = (place: string) => {
      const name = title + place
      const shortName = title === 'องค์การบริหารส่วนตำบล' && random.chance(0.12) ? `อบต.${place}` : name
      return add(kind, province, name, name, { subdistrict: place, shortName })
    }
    addPlaces(count, make, province)
  }
}

/**
 * Returns true for provincial water and power offices in Nonthaburi and Samut Prakan, which the capital's authorities
 * supply instead.
 */
function isServedByCapital(name: string, province: SampleProvince): boolean {
  return name.endsWith('ส่วนภูมิภาค') && (province.code === 11 || province.code === 12)
}

function pickersByKind(
  all: readonly SampleDepartment[],
): ReadonlyMap<BuyerKind, (random: SeededRandom) => SampleDepartment> {
  return new Map(
    BUYER_KINDS.map((kind) => {
      const members = all.filter((department) => department.kind === kind)
      // Some buyers are much busier than others: the weight decreases with the square root of the position.
      const ranks = new Map(members.map((member, index) => [member, ((index * 7919) % members.length) + 1]))
      return [kind, createWeightedPicker(members, (member) => 1 / Math.sqrt(ranks.get(member)!))] as const
    }),
  )
}
