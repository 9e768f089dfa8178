import fc from 'fast-check'
import type { ReportParam } from '#contract/report/report-param-kinds.ts'
import {
  parseReportSearch,
  REPORT_PARAMS,
  type ReportParamName,
  type ReportSearch,
} from '#contract/report/report-params.ts'

export function parseSearch(flat: Record<string, string>): ReportSearch {
  const { search, ignored } = parseReportSearch(flat)
  if (ignored.length > 0) throw new Error(`not read: ${ignored.map(({ name }) => name).join()}`)
  return search
}

const listOf = (values: readonly string[]) =>
  fc
    .tuple(fc.boolean(), fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }))
    .map(([not, chosen]) => `${not ? '<<' : ''}${chosen.join('||')}`)
const rangeOf = (bounds: readonly (string | number)[]) =>
  fc
    .tuple(fc.option(fc.nat(bounds.length - 1)), fc.option(fc.nat(bounds.length - 1)))
    .filter(([a, b]) => a !== null || b !== null)
    .map(([a, b]) => {
      const [from, to] = a !== null && b !== null && a > b ? [b, a] : [a, b]
      return `${from === null ? '' : bounds[from]},${to === null ? '' : bounds[to]}`
    })
const WORDS = [
  'กล้อง',
  'วงจรปิด',
  'CCTV',
  'IT',
  '10',
  'ยา',
  '10%',
  'ซ่อม',
  '"กล้อง วงจรปิด"',
  'ABC',
  'จำกัด',
  'กอง',
  'กรุงเทพ',
]
/** Words that are in the documents of `addPopulation`, across lines and pages, and words that are not. */
const DOCUMENT_WORDS = ['หลักประกัน', 'ISO 9001', 'เครื่อง อัด', '"๙๐๐๑"', 'ลับของคนอื่น', 'ไม่มีคำนี้']
const expression = fc
  .tuple(fc.constantFrom(...WORDS), fc.constantFrom('##', '||', '<<'), fc.constantFrom(...WORDS), fc.boolean())
  .map(([a, operator, b, both]) => (both ? `${a}${operator}${b}` : a))
const inDocuments = fc
  .tuple(
    fc.constantFrom(...DOCUMENT_WORDS),
    fc.constantFrom('##', '||', '<<'),
    fc.constantFrom(...DOCUMENT_WORDS),
    fc.nat(3),
  )
  .map(([a, operator, b, way]) => [a, `${a}${operator}${b}`, `<<${a}`, `(${a}||(<<${b}))##${b}`][way]!)
const provinces = listOf(['กรุงเทพมหานคร', 'สมุทรปราการ', 'เชียงใหม่', 'นครราชสีมา', 'กระบี่'])
const money = rangeOf([0, 0.01, 99_999.99, 100_000, 100_000.01, 500_000.5, 1_000_000, 250_000_000])
const dates = rangeOf(['2025-01-01', '@-30', '@-7', '@0', '@3', '@7', '@14', '@30'])

/** Values of filters that their kind does not determine; null leaves a filter out. */
const SPECIAL: Partial<Record<ReportParamName, fc.Arbitrary<string> | null>> = {
  project_id__in: fc
    .uniqueArray(
      fc.nat(170).map((n) => String(67_000_000_000 + n)),
      { minLength: 1, maxLength: 60 },
    )
    .map((ids) => ids.join('||')),
  document_text__in: inDocuments,
  // The minimum similarity has no effect on its own; deep-search.test.ts tests it with the scores.
  ai_deep_from: null,
  ai_deep_search__in: fc.constantFrom('กล้องวงจรปิด', 'ยา||ถนน', '10%'),
  project_movement__in: listOf([
    'draft_published',
    'reference_price_published',
    'invited',
    'winner_announced',
    'ขั้นตอนอื่น',
    'ไม่เคยมี',
  ]),
  project_method__in: listOf(['e_bidding', 'selective', 'วิธีใหม่']),
  project_method_type__in: listOf(['buy', 'service', 'construct', 'lease']),
  ends_within: fc.constantFrom('1', '30', '60', '90', '180', '400', '730'),
  project_agency__in: listOf([
    'กรุงเทพมหานคร',
    'กรมไร้ที่ตั้ง',
    'กรมไร้ที่ตั้ง › กรมไร้ที่ตั้ง',
    'มหาวิทยาลัยตัวอย่าง › คณะวิศวกรรมศาสตร์',
    'เทศบาลเมือง ABC',
    'เทศบาลเมือง ABC จ.นครราชสีมา',
    'เทศบาลเมือง ABC จ.เชียงใหม่ › กองคลัง',
    'เทศบาลเมือง ABC (ไม่ทราบจังหวัด)',
    'เทศบาลเมือง ABC › กองช่าง',
    'ไม่มีหน่วยงานนี้',
  ]),
  project_label__in: listOf(['l1', 'l2', 'l3', 'none']),
  team_label__in: listOf(['t1', 't2', 't3', 'none']),
  pursuit_stage__in: listOf(['screened', 'pricing', 'won', 'gone', 'none']),
  pursuit_owner__in: listOf(['1', '2', '3', 'none']),
}

function valuesOf(param: ReportParam): fc.Arbitrary<string> {
  if (param.kind === 'flag') return fc.constant('true')
  if (param.kind === 'expression') return expression
  if (param.kind === 'money') return money
  if (param.kind === 'dates') return dates
  if (param.kind === 'list' && param.groups) return provinces
  if (param.kind === 'list' && param.choices) return listOf(param.choices.map(({ code }) => code))
  throw new Error(`no values for ${param.name}`)
}

/** An arbitrary value for each filter of the catalogue. */
const VALUES = new Map(
  REPORT_PARAMS.flatMap((param: ReportParam & { readonly name: ReportParamName }) => {
    const special = SPECIAL[param.name]
    return param.role === 'view' || special === null ? [] : [[param.name, special ?? valuesOf(param)] as const]
  }),
)

export const searchArbitrary: fc.Arbitrary<Record<string, string>> = fc
  .uniqueArray(fc.constantFrom(...VALUES.keys()), { maxLength: 4 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, VALUES.get(name)!]))))
