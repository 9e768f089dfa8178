import fc from 'fast-check'
import { BID_STATES } from '#contract/catalogue/bid-state.ts'
import { PROJECT_CRITERIA, PROJECT_STATUSES } from '#contract/catalogue/project.ts'
import { parseReportSearch, REPORT_PARAMS, type ReportSearch } from '#contract/report/report-params.ts'

export function readSearch(flat: Record<string, string>): ReportSearch {
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

/** Generators of values for each filter. The type requires an entry for every parameter. */
const VALUES: Record<(typeof REPORT_PARAMS)[number]['name'], fc.Arbitrary<string> | null> = {
  is_archived: fc.constant('true'),
  project_search__in: expression,
  project_name__in: expression,
  project_id__in: fc
    .uniqueArray(
      fc.nat(170).map((n) => String(67_000_000_000 + n)),
      { minLength: 1, maxLength: 60 },
    )
    .map((ids) => ids.join('||')),
  project_dept_sub__in: expression,
  project_winner_name__in: expression,
  document_text__in: inDocuments,
  // The minimum similarity has no effect on its own; deep-search.test.ts tests it with the scores.
  ai_deep_from: null,
  ai_deep_search__in: fc.constantFrom('กล้องวงจรปิด', 'ยา||ถนน', '10%'),
  project_change_status__in: listOf(['new', 'updated', 'no_change']),
  project_bidding__in: listOf(BID_STATES.map((state) => state.code)),
  project_status__in: listOf(PROJECT_STATUSES.map((status) => status.code)),
  project_movement__in: listOf([
    'draft_published',
    'reference_price_published',
    'invited',
    'winner_announced',
    'ขั้นตอนอื่น',
    'ไม่เคยมี',
  ]),
  project_budget__range: money,
  project_estimate_budget__range: money,
  project_winner_budget__range: money,
  project_province__in: provinces,
  project_province_dept_sub__in: provinces,
  draft_published_date__range: dates,
  draft_discussion_end_date__range: dates,
  bidding_invite_date__range: dates,
  submission_end_date__range: dates,
  winner_announce_date__range: dates,
  project_method__in: listOf(['e_bidding', 'selective', 'วิธีใหม่']),
  project_method_type__in: listOf(['buy', 'service', 'construct', 'lease']),
  project_criteria_for_consideration: listOf(PROJECT_CRITERIA.map((criteria) => criteria.code)),
  ends_within: fc.constantFrom('1', '30', '60', '90', '180', '400', '730'),
  check_sme: fc.constant('true'),
  project_bookmark: fc.constant('true'),
  project_label__in: listOf(['l1', 'l2', 'l3', 'none']),
  view: null,
  market: null,
  rank: null,
  rows: null,
  ordering: null,
  page: null,
  page_size: null,
  saved: null,
  peek: null,
  queue: null,
  project_hidden: fc.constant('true'),
  project_since_visit: fc.constant('true'),
  team_label__in: listOf(['t1', 't2', 't3', 'none']),
  pursuit_stage__in: listOf(['screened', 'pricing', 'won', 'gone', 'none']),
  pursuit_owner__in: listOf(['1', '2', '3', 'none']),
  pursuit_has_notes: fc.constant('true'),
}
const FILTER_NAMES = REPORT_PARAMS.map(({ name }) => name).filter((name) => VALUES[name] !== null)

export const anySearch: fc.Arbitrary<Record<string, string>> = fc
  .uniqueArray(fc.constantFrom(...FILTER_NAMES), { maxLength: 4 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, VALUES[name]!]))))
