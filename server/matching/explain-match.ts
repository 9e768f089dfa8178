import { extractProjectId } from '#contract/catalogue/project-id.ts'
import { isActiveKeyword } from '#contract/matching/active-keyword.ts'
import { formatDocumentMatchReason } from '#contract/matching/document-reason.ts'
import type { MatchExplanation } from '#contract/matching/keyword-impact.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import { formatBangkokTime, formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import {
  findExceededMatchLimit,
  isKeywordListCode,
  type MatchLimits,
  type MatchRuleKeyword,
  type OrganisationMatchRules,
  toMatchLimits,
} from './compile-match-rules.ts'
import { createMatchReasonFinder, presentKeywordImpactProject } from './present-keyword-impact-project.ts'
import { findLatestPublishedDataLoad } from './queries/impact.ts'
import {
  loadProjectForMatchExplanation,
  type ProjectForMatchExplanation,
} from './queries/project-for-match-explanation.ts'
import { isProjectMarkedByOrganisation, loadOrganisationMatchRules } from './queries.ts'
import { convertExclusionKeywordsToInclusions, isExclusionKeyword, removeExclusionKeywords } from './rule-placement.ts'

type RuleAnswer = { readonly passed: boolean; readonly text: string }

const OPEN_GATE: MatchLimits = {
  minSatang: 0,
  maxSatang: Number.POSITIVE_INFINITY,
  provinces: undefined,
  from: undefined,
  to: undefined,
}
const money = (satang: number) => `${formatBahtCompact(satang / 100)}บาท`.replace(/(\d)บาท$/, '$1 บาท')

/** Explains why a project is unknown. `dataTime`: publication time of the newest load, UTC ISO. */
function unknownText(id: string | undefined, dataTime: string | null): string {
  if (id === undefined) return 'ไม่พบเลขที่โครงการในข้อความนี้ เลขที่โครงการของ e-GP เป็นตัวเลข 11 หลัก'
  const asOf = dataTime === null ? '' : ` ข้อมูลล่าสุดเมื่อ ${formatBangkokTime(new Date(dataTime))} น.`
  return `ยังไม่มีเลขที่โครงการ ${id} ในระบบ อาจยังไม่ประกาศ ประกาศหลังข้อมูลรอบล่าสุด หรืออยู่นอกข้อมูลที่นำเข้า${asOf}`
}

function knownText(
  { movement_on, is_movement_undated, is_stored }: ProjectForMatchExplanation,
  inReport: boolean,
): string {
  const bound = is_movement_undated ? 'ไม่เกิน ' : ''
  const base =
    movement_on === null ? 'มีในระบบแล้ว' : `มีในระบบแล้ว เคลื่อนไหวล่าสุด ${bound}${formatThaiDateShort(movement_on)}`
  if (inReport === is_stored) return base
  return `${base} กำลังจับคู่ใหม่ตามรายการที่เพิ่งแก้ ${inReport ? 'อีกสักครู่จะขึ้นในรายงาน' : 'อีกสักครู่จะหายไปจากรายงาน'}`
}

function budgetAnswer({ minSatang, maxSatang }: MatchLimits, project: ProjectForMatchExplanation): RuleAnswer {
  const passed = findExceededMatchLimit({ ...OPEN_GATE, minSatang, maxSatang }, project) === undefined
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

function provinceAnswer({ provinces }: MatchLimits, project: ProjectForMatchExplanation): RuleAnswer {
  const passed = findExceededMatchLimit({ ...OPEN_GATE, provinces }, project) === undefined
  const code = project.project_province ?? project.dept_province
  const name = code === null ? undefined : findProvinceByCode(code)?.th
  const allowed = provinces ? `องค์กรดูได้ ${provinces.size} จังหวัด` : 'องค์กรดูได้ทุกจังหวัด'
  if (name === undefined) return { passed, text: `ไม่ทราบจังหวัดของโครงการ (${allowed})` }
  return { passed, text: passed ? `${name} อยู่ในพื้นที่ขององค์กร (${allowed})` : `${name} อยู่นอกพื้นที่ขององค์กร (${allowed})` }
}

function windowAnswer({ from, to }: MatchLimits, project: ProjectForMatchExplanation, isFollowed: boolean): RuleAnswer {
  const isInside = findExceededMatchLimit({ ...OPEN_GATE, from, to }, project) === undefined
  if (from === undefined && to === undefined) return { passed: true, text: 'รายงานขององค์กรไม่จำกัดช่วงวันที่' }
  const range = [from && `ตั้งแต่ ${formatThaiDateShort(from)}`, to && `ถึง ${formatThaiDateShort(to)}`]
    .filter(Boolean)
    .join(' ')
  const passed = isInside || isFollowed
  const despite = isInside || !isFollowed ? '' : ' แต่ทีมติดตามโครงการนี้อยู่ จึงไม่ถูกตัดออก'
  if (project.movement_on === null)
    return { passed, text: `ยังไม่มีวันที่ใดของโครงการนี้ จึงเทียบกับช่วงของรายงานไม่ได้ (${range})${despite}` }
  const day = `${project.is_movement_undated ? 'ไม่เกิน ' : ''}${formatThaiDateShort(project.movement_on)}`
  return { passed, text: `เคลื่อนไหวล่าสุด ${day} ${isInside ? 'อยู่ใน' : 'อยู่นอก'}ช่วงของรายงาน (${range})${despite}` }
}

const hiddenText = (isHidden: boolean) =>
  isHidden ? 'คุณซ่อนโครงการนี้ไว้ ดูได้ด้วยตัวกรอง “ซ่อนไว้” หรือเลิกซ่อน' : 'คุณไม่ได้ซ่อนโครงการนี้'
const archivedText = (isArchived: boolean) => (isArchived ? 'อยู่ในแท็บ “ส่งมอบแล้ว”' : 'อยู่ในแท็บ “กำลังดำเนินการ”')

type Rule = MatchExplanation['rules'][number]
type RuleWord = Rule['words'][number]

const quoted = (words: readonly RuleWord[]) => words.map(({ word }) => `“${word}”`).join(' ')

function wordsOf(rules: OrganisationMatchRules, ids: ReadonlySet<number>): RuleWord[] {
  return rules.keywords.flatMap(({ id, list, word }) =>
    ids.has(id) && isKeywordListCode(list) ? [{ list, word }] : [],
  )
}

export async function explainMatch(
  db: Db,
  input: string,
  actor: { organisationId: number; userId: number },
): Promise<MatchExplanation> {
  const id = extractProjectId(input)
  const project = id === undefined ? undefined : await loadProjectForMatchExplanation(db, id, actor)
  const [rules] = await loadOrganisationMatchRules(db, actor.organisationId)
  if (!project || !rules) {
    const text = unknownText(id, (await findLatestPublishedDataLoad(db))?.published_at ?? null)
    return { project: null, in_report: false, rules: [{ rule: 'known', passed: false, text, words: [] }] }
  }
  const include = inclusionRule(rules, project)
  const exclude = exclusionRule(rules, project)
  const gate = toMatchLimits(rules)
  // Run without the tenant, because colleagues' marks count, but row security hides them from the tenant.
  const isFollowed = await runWithoutTenant(() =>
    isProjectMarkedByOrganisation(db, actor.organisationId, project.project_id),
  )
  const limits: Rule[] = [
    { rule: 'budget', ...budgetAnswer(gate, project), words: [] },
    { rule: 'province', ...provinceAnswer(gate, project), words: [] },
    { rule: 'window', ...windowAnswer(gate, project, isFollowed), words: [] },
  ]
  const deciding = [include, exclude, ...limits]
  const inReport = deciding.every(({ passed }) => passed)
  const reasons = createMatchReasonFinder(removeExclusionKeywords(rules))(project)
  return {
    project: presentKeywordImpactProject(project, project.name, reasons),
    in_report: inReport,
    rules: [
      { rule: 'known', passed: true, text: knownText(project, inReport), words: [] },
      ...deciding,
      { rule: 'hidden_by_you', passed: !project.is_hidden, text: hiddenText(project.is_hidden), words: [] },
      { rule: 'archived', passed: !project.is_archived, text: archivedText(project.is_archived), words: [] },
    ],
  }
}

const SWITCHED_OFF_TEXTS: Readonly<Record<string, string>> = {
  include: 'ปิดการค้นหาจากชื่อโครงการไว้',
  ai_include: 'ปิดการค้นหาจากคำใกล้เคียงไว้',
  deptsub_include: 'ปิดการค้นหาจากหน่วยงานไว้',
}

function inclusionRule(rules: OrganisationMatchRules, project: ProjectForMatchExplanation): Rule {
  const inclusions = removeExclusionKeywords(rules)
  const reasons = createMatchReasonFinder(inclusions)(project)
  const finding = new Set(reasons.map(({ keyword }) => keyword))
  const acting = (keyword: MatchRuleKeyword) => finding.has(keyword.id) && isActiveKeyword(rules, keyword)
  const words = wordsOf(rules, new Set(inclusions.keywords.filter(acting).map(({ id }) => id)))
  const pages = new Map(reasons.flatMap(({ keyword, page }) => (page === undefined ? [] : [[keyword, page]])))
  if (words.length > 0) {
    const documented = inclusions.keywords.filter((keyword) => acting(keyword) && pages.has(keyword.id))
    const inNames = new Set(inclusions.keywords.filter(({ id }) => !pages.has(id)).map(({ word }) => word))
    const names = words.filter(({ list, word }) => list === 'include' && inNames.has(word))
    const meaningWords = words.filter(({ list }) => list === 'ai_include')
    const units = words.filter(({ list }) => list === 'deptsub_include')
    const parts = [
      names.length > 0 ? `ชื่อโครงการมีคำที่ติดตาม ${quoted(names)}` : '',
      meaningWords.length > 0 ? `ชื่อโครงการมีคำใกล้เคียงของ ${quoted(meaningWords)}` : '',
      units.length > 0 ? `เป็นของหน่วยงานที่ติดตาม ${quoted(units)}` : '',
      ...documented.map(({ id, word }) => formatDocumentMatchReason(word, pages.get(id)!)),
    ]
    return { rule: 'include', passed: true, text: parts.filter(Boolean).join(' และ'), words }
  }
  const idle = inclusions.keywords.filter(({ id }) => finding.has(id))
  const idleWords = wordsOf(rules, new Set(idle.map(({ id }) => id)))
  const text =
    idle.length > 0
      ? idle
          .map(
            (keyword) =>
              `“${keyword.word}” ตรงกับโครงการนี้ แต่${keyword.approved ? SWITCHED_OFF_TEXTS[keyword.list] : 'ยังรอทีมงานอนุมัติ'}`,
          )
          .join(' ')
      : inclusions.keywords.length === 0
        ? 'ยังไม่มีคำหรือหน่วยงานในรายการติดตาม'
        : 'ไม่มีคำที่ติดตามในชื่อโครงการ และไม่ใช่หน่วยงานที่ติดตาม'
  return { rule: 'include', passed: false, text, words: idleWords }
}

function exclusionRule(rules: OrganisationMatchRules, project: ProjectForMatchExplanation): Rule {
  const finding = new Set(
    createMatchReasonFinder(convertExclusionKeywordsToInclusions(rules))(project).map(({ keyword }) => keyword),
  )
  const words = wordsOf(rules, finding)
  if (words.length === 0) {
    const isListed = rules.keywords.some(isExclusionKeyword)
    return { rule: 'exclude', passed: true, text: isListed ? 'ไม่มีคำที่ไม่รวมในชื่อโครงการ' : 'ยังไม่มีคำที่ไม่รวม', words }
  }
  const text = `ชื่อโครงการมีคำที่ไม่รวม ${quoted(words)}`
  return rules.rescued.includes(project.project_id)
    ? { rule: 'exclude', passed: true, text: `${text} แต่นำกลับเข้ารายงานแล้ว`, words }
    : { rule: 'exclude', passed: false, text, words }
}
