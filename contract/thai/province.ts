/**
 * The 77 provinces in the six-region scheme of the National Geographical Committee (9 + 22 + 20 + 5 + 7 + 14). The
 * database stores `code`, the DOPA code; the API uses the Thai name. In URLs a region's code represents all its
 * provinces (`regionUrlListAbbreviator`), so the region codes must never change.
 */
export const REGIONS = [
  { code: 'central', th: 'ภาคกลาง' },
  { code: 'north', th: 'ภาคเหนือ' },
  { code: 'northeast', th: 'ภาคตะวันออกเฉียงเหนือ' },
  { code: 'east', th: 'ภาคตะวันออก' },
  { code: 'west', th: 'ภาคตะวันตก' },
  { code: 'south', th: 'ภาคใต้' },
] as const
export type Region = (typeof REGIONS)[number]['code']

export type Province = { readonly code: number; readonly th: string; readonly region: Region }

export const PROVINCES: readonly Province[] = [
  { code: 10, th: 'กรุงเทพมหานคร', region: 'central' },
  { code: 11, th: 'สมุทรปราการ', region: 'central' },
  { code: 12, th: 'นนทบุรี', region: 'central' },
  { code: 13, th: 'ปทุมธานี', region: 'central' },
  { code: 14, th: 'พระนครศรีอยุธยา', region: 'central' },
  { code: 15, th: 'อ่างทอง', region: 'central' },
  { code: 16, th: 'ลพบุรี', region: 'central' },
  { code: 17, th: 'สิงห์บุรี', region: 'central' },
  { code: 18, th: 'ชัยนาท', region: 'central' },
  { code: 19, th: 'สระบุรี', region: 'central' },
  { code: 20, th: 'ชลบุรี', region: 'east' },
  { code: 21, th: 'ระยอง', region: 'east' },
  { code: 22, th: 'จันทบุรี', region: 'east' },
  { code: 23, th: 'ตราด', region: 'east' },
  { code: 24, th: 'ฉะเชิงเทรา', region: 'east' },
  { code: 25, th: 'ปราจีนบุรี', region: 'east' },
  { code: 26, th: 'นครนายก', region: 'central' },
  { code: 27, th: 'สระแก้ว', region: 'east' },
  { code: 30, th: 'นครราชสีมา', region: 'northeast' },
  { code: 31, th: 'บุรีรัมย์', region: 'northeast' },
  { code: 32, th: 'สุรินทร์', region: 'northeast' },
  { code: 33, th: 'ศรีสะเกษ', region: 'northeast' },
  { code: 34, th: 'อุบลราชธานี', region: 'northeast' },
  { code: 35, th: 'ยโสธร', region: 'northeast' },
  { code: 36, th: 'ชัยภูมิ', region: 'northeast' },
  { code: 37, th: 'อำนาจเจริญ', region: 'northeast' },
  { code: 39, th: 'หนองบัวลำภู', region: 'northeast' },
  { code: 40, th: 'ขอนแก่น', region: 'northeast' },
  { code: 41, th: 'อุดรธานี', region: 'northeast' },
  { code: 42, th: 'เลย', region: 'northeast' },
  { code: 43, th: 'หนองคาย', region: 'northeast' },
  { code: 44, th: 'มหาสารคาม', region: 'northeast' },
  { code: 45, th: 'ร้อยเอ็ด', region: 'northeast' },
  { code: 46, th: 'กาฬสินธุ์', region: 'northeast' },
  { code: 47, th: 'สกลนคร', region: 'northeast' },
  { code: 48, th: 'นครพนม', region: 'northeast' },
  { code: 49, th: 'มุกดาหาร', region: 'northeast' },
  { code: 50, th: 'เชียงใหม่', region: 'north' },
  { code: 51, th: 'ลำพูน', region: 'north' },
  { code: 52, th: 'ลำปาง', region: 'north' },
  { code: 53, th: 'อุตรดิตถ์', region: 'north' },
  { code: 54, th: 'แพร่', region: 'north' },
  { code: 55, th: 'น่าน', region: 'north' },
  { code: 56, th: 'พะเยา', region: 'north' },
  { code: 57, th: 'เชียงราย', region: 'north' },
  { code: 58, th: 'แม่ฮ่องสอน', region: 'north' },
  { code: 60, th: 'นครสวรรค์', region: 'central' },
  { code: 61, th: 'อุทัยธานี', region: 'central' },
  { code: 62, th: 'กำแพงเพชร', region: 'central' },
  { code: 63, th: 'ตาก', region: 'west' },
  { code: 64, th: 'สุโขทัย', region: 'central' },
  { code: 65, th: 'พิษณุโลก', region: 'central' },
  { code: 66, th: 'พิจิตร', region: 'central' },
  { code: 67, th: 'เพชรบูรณ์', region: 'central' },
  { code: 70, th: 'ราชบุรี', region: 'west' },
  { code: 71, th: 'กาญจนบุรี', region: 'west' },
  { code: 72, th: 'สุพรรณบุรี', region: 'central' },
  { code: 73, th: 'นครปฐม', region: 'central' },
  { code: 74, th: 'สมุทรสาคร', region: 'central' },
  { code: 75, th: 'สมุทรสงคราม', region: 'central' },
  { code: 76, th: 'เพชรบุรี', region: 'west' },
  { code: 77, th: 'ประจวบคีรีขันธ์', region: 'west' },
  { code: 80, th: 'นครศรีธรรมราช', region: 'south' },
  { code: 81, th: 'กระบี่', region: 'south' },
  { code: 82, th: 'พังงา', region: 'south' },
  { code: 83, th: 'ภูเก็ต', region: 'south' },
  { code: 84, th: 'สุราษฎร์ธานี', region: 'south' },
  { code: 85, th: 'ระนอง', region: 'south' },
  { code: 86, th: 'ชุมพร', region: 'south' },
  { code: 90, th: 'สงขลา', region: 'south' },
  { code: 91, th: 'สตูล', region: 'south' },
  { code: 92, th: 'ตรัง', region: 'south' },
  { code: 93, th: 'พัทลุง', region: 'south' },
  { code: 94, th: 'ปัตตานี', region: 'south' },
  { code: 95, th: 'ยะลา', region: 'south' },
  { code: 96, th: 'นราธิวาส', region: 'south' },
  { code: 38, th: 'บึงกาฬ', region: 'northeast' },
]

const BY_NAME = new Map(PROVINCES.map((province) => [province.th, province]))
const BY_CODE = new Map(PROVINCES.map((province) => [province.code, province]))

export function findProvinceByName(th: string): Province | undefined {
  return BY_NAME.get(th)
}

export function findProvinceByCode(code: number): Province | undefined {
  return BY_CODE.get(code)
}

/** Returns the Thai name; null for null and for an unknown code. */
export const getProvinceName = (code: number | null): string | null =>
  code === null ? null : (findProvinceByCode(code)?.th ?? null)

export function getProvincesInRegion(region: Region): string[] {
  return PROVINCES.filter((province) => province.region === region).map((province) => province.th)
}

export function separateCompleteRegions(provinces: readonly string[]): {
  whole: (typeof REGIONS)[number][]
  rest: string[]
} {
  const chosen = new Set(provinces)
  const whole = REGIONS.filter(({ code }) => getProvincesInRegion(code).every((province) => chosen.has(province)))
  for (const { code } of whole) for (const province of getProvincesInRegion(code)) chosen.delete(province)
  return { whole, rest: [...chosen] }
}

/**
 * Groups of list values that a URL abbreviates to one code. `open(close(values))` returns the same values, with those
 * of a group in the group's order.
 */
export type UrlListAbbreviator = {
  readonly open: (values: readonly string[]) => string[]
  readonly close: (values: readonly string[]) => string[]
}

/**
 * Groups of provinces in URLs: a complete region is replaced by its code at the position of its first province. Codes
 * and names can be mixed.
 */
export const regionUrlListAbbreviator: UrlListAbbreviator = {
  open: (values) => [
    ...new Set(
      values.flatMap((value) =>
        REGIONS.some(({ code }) => code === value) ? getProvincesInRegion(value as Region) : [value],
      ),
    ),
  ],
  close: (values) => {
    const wholeRegions = new Set(separateCompleteRegions(values).whole.map(({ code }) => code))
    const regionOrSelf = (value: string) => {
      const region = findProvinceByName(value)?.region
      return region !== undefined && wholeRegions.has(region) ? region : value
    }
    return [...new Set(values.map(regionOrSelf))]
  },
}
