import type { Why } from '#contract/keyword-impact.ts'
import { KEYWORD_LISTS, type KeywordList } from '#contract/organisation.ts'
import { readProjectId } from '#contract/project-id.ts'
import type { Db } from '#server/db/db.ts'
import { createFinder } from './open-rules.ts'
import { presentProject } from './present-project.ts'
import { loadRules } from './queries.ts'
import { newestLoad } from './queries-impact.ts'
import { type AskedProject, loadAskedProject } from './queries-why.ts'
import { gateOf, isActive, type OrganisationRules, type RuleKeyword } from './rules.ts'
import { exclusionsAsInclusions, isExclusion, onlyInclusions } from './standing.ts'
import {
  archivedText,
  budgetAnswer,
  hiddenText,
  knownText,
  provinceAnswer,
  unknownText,
  windowAnswer,
} from './why-texts.ts'

type Rule = Why['rules'][number]
type Word = Rule['words'][number]

const quoted = (words: readonly Word[]) => words.map(({ word }) => `“${word}”`).join(' ')
const isList = (list: string): list is KeywordList => (KEYWORD_LISTS as readonly string[]).includes(list)

/** Entries of the rules by their ids, as the answer names them. */
function wordsOf(rules: OrganisationRules, ids: ReadonlySet<number>): Word[] {
  return rules.keywords.flatMap(({ id, list, word }) => (ids.has(id) && isList(list) ? [{ list, word }] : []))
}

/** Rule by rule, why a project is or is not in the report. `asked`: what the person typed or pasted. */
export async function whyOf(db: Db, asked: string, actor: { organisationId: number; userId: number }): Promise<Why> {
  const id = readProjectId(asked)
  const project = id === undefined ? undefined : await loadAskedProject(db, id, actor)
  const [rules] = await loadRules(db, actor.organisationId)
  if (!project || !rules || (rules.is_sample_only === true && project.is_sample !== true)) {
    const text = unknownText(id, (await newestLoad(db))?.published_at ?? null)
    return { project: null, in_report: false, rules: [{ rule: 'known', passed: false, text, words: [] }] }
  }
  const include = inclusionRule(rules, project)
  const exclude = exclusionRule(rules, project)
  const gate = gateOf(rules)
  const limits = (['budget', 'province', 'window'] as const).map((rule): Rule => {
    const answer = { budget: budgetAnswer, province: provinceAnswer, window: windowAnswer }[rule](gate, project)
    return { rule, ...answer, words: [] }
  })
  const deciding = [include, exclude, ...limits]
  const inReport = deciding.every(({ passed }) => passed)
  const found = createFinder(onlyInclusions(rules))(project).flatMap(({ terms }) => terms)
  return {
    project: presentProject(project, project.name, [...new Set(found)]),
    in_report: inReport,
    rules: [
      { rule: 'known', passed: true, text: knownText(project, inReport), words: [] },
      ...deciding,
      { rule: 'hidden_by_you', passed: !project.is_hidden, text: hiddenText(project.is_hidden), words: [] },
      { rule: 'archived', passed: !project.is_archived, text: archivedText(project.is_archived), words: [] },
    ],
  }
}

const SWITCHED_OFF: Readonly<Record<string, string>> = {
  include: 'ปิดการค้นหาจากชื่อโครงการไว้',
  ai_include: 'ปิดการค้นหาจากคำใกล้เคียงไว้',
  deptsub_include: 'ปิดการค้นหาจากหน่วยงานไว้',
}

/** Words and departments that find it; where none does, those that would if they acted. */
function inclusionRule(rules: OrganisationRules, project: AskedProject): Rule {
  const inclusions = onlyInclusions(rules)
  const finding = new Set(createFinder(inclusions)(project).map(({ keyword }) => keyword))
  const acting = (keyword: RuleKeyword) => finding.has(keyword.id) && isActive(rules, keyword)
  const words = wordsOf(rules, new Set(inclusions.keywords.filter(acting).map(({ id }) => id)))
  if (words.length > 0) {
    const names = words.filter(({ list }) => list === 'include')
    const meant = words.filter(({ list }) => list === 'ai_include')
    const units = words.filter(({ list }) => list === 'deptsub_include')
    const parts = [
      names.length > 0 ? `ชื่อโครงการมีคำที่ติดตาม ${quoted(names)}` : '',
      meant.length > 0 ? `ชื่อโครงการมีคำใกล้เคียงของ ${quoted(meant)}` : '',
      units.length > 0 ? `เป็นของหน่วยงานที่ติดตาม ${quoted(units)}` : '',
    ]
    return { rule: 'include', passed: true, text: parts.filter(Boolean).join(' และ'), words }
  }
  const idle = inclusions.keywords.filter(({ id }) => finding.has(id))
  const told = wordsOf(rules, new Set(idle.map(({ id }) => id)))
  const text =
    idle.length > 0
      ? idle
          .map(
            (keyword) =>
              `“${keyword.word}” ตรงกับโครงการนี้ แต่${keyword.approved ? SWITCHED_OFF[keyword.list] : 'ยังรอทีมงานอนุมัติ'}`,
          )
          .join(' ')
      : inclusions.keywords.length === 0
        ? 'ยังไม่มีคำหรือหน่วยงานในรายการติดตาม'
        : 'ไม่มีคำที่ติดตามในชื่อโครงการ และไม่ใช่หน่วยงานที่ติดตาม'
  return { rule: 'include', passed: false, text, words: told }
}

function exclusionRule(rules: OrganisationRules, project: AskedProject): Rule {
  const finding = new Set(createFinder(exclusionsAsInclusions(rules))(project).map(({ keyword }) => keyword))
  const words = wordsOf(rules, finding)
  if (words.length === 0) {
    const isListed = rules.keywords.some(isExclusion)
    return { rule: 'exclude', passed: true, text: isListed ? 'ไม่มีคำที่ไม่รวมในชื่อโครงการ' : 'ยังไม่มีคำที่ไม่รวม', words }
  }
  const text = `ชื่อโครงการมีคำที่ไม่รวม ${quoted(words)}`
  return rules.rescued.includes(project.project_id)
    ? { rule: 'exclude', passed: true, text: `${text} แต่นำกลับเข้ารายงานแล้ว`, words }
    : { rule: 'exclude', passed: false, text, words }
}
