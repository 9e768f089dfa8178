import type { Organisation } from '#contract/account/organisation.ts'
import type { User } from '#contract/account/user.ts'
import { agencyTextOf } from '#contract/catalogue/agency-name.ts'
import type { DepartmentUnit } from '#contract/catalogue/department.ts'
import { readProjectId } from '#contract/catalogue/project-id.ts'
import { type DocumentSearch, readDocumentQuestion } from '#contract/documents/document-search.ts'
import type { CompanySuggestion } from '#contract/market/company.ts'
import type { ProjectSuggestion } from '#contract/report/report.ts'
import { parseReportExpression } from '#contract/report/report-param-kinds.ts'
import { reportParam } from '#contract/report/report-params.ts'
import { savedFilterAddress } from '#contract/report/saved-filter-search.ts'
import { parseSearchExpression, SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { compileSearchItems } from '#contract/search/search-items.ts'
import { findOperator } from '#contract/search/search-signs.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { agencyHref } from '#src/lib/agency-address.ts'
import { companyHref } from '#src/lib/company-address.ts'
import { countText, shortMoneyText } from '#src/lib/money-text.ts'
import { projectHref } from '#src/lib/project-address.ts'
import { printSearchText } from '#src/lib/search-text.ts'
import { type NavEntry, navEntriesFor } from '#src/shell/navigation/nav-entries.ts'

/** Groups in the order in which they stand. What is known at once comes before what the server finds, so that nothing moves under the hand. */
export const PALETTE_GROUPS = [
  { code: 'recent', th: 'ล่าสุด' },
  { code: 'number', th: 'เลขที่โครงการ' },
  { code: 'page', th: 'หน้า' },
  { code: 'filter', th: 'ตัวกรองที่บันทึก' },
  { code: 'action', th: 'คำสั่ง' },
  { code: 'search', th: 'ค้นในรายงาน' },
  { code: 'project', th: 'โครงการ' },
  { code: 'company', th: 'บริษัท' },
  { code: 'agency', th: 'หน่วยงาน' },
  { code: 'document', th: 'ในเอกสาร' },
] as const
export type PaletteGroup = (typeof PALETTE_GROUPS)[number]['code']

export type PaletteEntry = {
  /** The same for the same thing, whenever and wherever it is listed. */
  readonly id: string
  readonly group: PaletteGroup
  readonly title: string
  /** A second line. */
  readonly note?: string | undefined
  /** Of a project outside the active tab: where the report has it. */
  readonly place?: string | undefined
  /** Other words by which it is found. */
  readonly words?: string | undefined
  /** Where it leads, within the product; absent where it does something. */
  readonly href?: string | undefined
  readonly run?: (() => void) | undefined
}

/** As it is stored once it was opened: without what it does, which the present entry of the same id knows. */
export type RecentEntry = Pick<PaletteEntry, 'id' | 'group' | 'title' | 'note' | 'href'>

export type Account = { readonly user: User; readonly organisation: Organisation; readonly isDemo: boolean }

const page = (path: string, name: string, words?: string): PaletteEntry => ({
  id: `page:${path}`,
  group: 'page',
  title: name,
  href: path,
  words,
})

/** The screens that this user's menus lead to. */
function pageEntries(account: Account): PaletteEntry[] {
  const { user, isDemo } = account
  return [
    ...navEntriesFor(account).map(({ path, name, search }: NavEntry) => ({
      ...page(path, name, path),
      href: `${path}${printSearchText(search ?? {})}`,
    })),
    ...(isDemo ? [] : [page('/settings', 'ตั้งค่า', 'settings')]),
    ...(user.role === 'super_user' && !isDemo ? [page('/logs', 'ประวัติการใช้งาน', 'logs')] : []),
  ]
}

const filterEntries = ({ user }: Account): PaletteEntry[] =>
  user.project_save_filter_profile.map((filter) => ({
    id: `filter:${filter.id}`,
    group: 'filter',
    title: filter.filterName,
    href: `/report${printSearchText(savedFilterAddress(filter))}`,
  }))

/** Whether the package holds the report at all. */
export const hasReport = ({ organisation }: Pick<Account, 'organisation'>) => !organisation.is_access_budget_year_only

/** What is known without asking the server. */
export function localEntries(account: Account, actions: readonly PaletteEntry[]): PaletteEntry[] {
  return [...pageEntries(account), ...(hasReport(account) ? filterEntries(account) : []), ...actions]
}

/** The words of a text; each must be found somewhere. One sign alone says nothing. */
const wordsOf = (text: string) =>
  text.split(/\s+/).filter((word) => searchForm(word).length >= SEARCH_LIMITS.termLength)

/** The search expression that wants every word of the text, or the project number in it; undefined when it is none that can be asked. */
export function expressionOf(text: string): string | undefined {
  const id = readProjectId(text)
  const values = id ? [id] : wordsOf(text)
  const expression = compileSearchItems(values.map((value) => ({ key: '', value, negation: false })))
  return expression !== '' && parseReportExpression('project_search__in', expression).ok ? expression : undefined
}

/** Signs of the search grammar: who types them says exactly what is wanted. */
const hasOperators = (text: string) => findOperator(text) !== -1 || text.includes('"')

/** The question to documents: as it was typed where it has signs of its own, else every word on one page; undefined when it is none that can be asked. */
export function documentQuestionOf(text: string): string | undefined {
  const typed = text.trim()
  const every = typed.split(/\s+/).join(' ## ')
  const questions = hasOperators(typed) ? [typed] : [every, typed]
  return questions.find((question) => readDocumentQuestion(question).ok)
}

/** Entries that hold every word of the text in their name. */
export function entriesNamed(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const wanted = text.split(/\s+/).map(searchForm).filter(Boolean)
  return entries.filter(({ title, note = '', words = '' }) => {
    const name = searchForm(`${title} ${note} ${words}`)
    return wanted.every((word) => name.includes(word))
  })
}

/** Opening the project whose number was typed, and the search of the report for the text. */
export function typedEntries(text: string): PaletteEntry[] {
  const id = readProjectId(text)
  const expression = expressionOf(text)
  const search = (archived: boolean): PaletteEntry => ({
    id: `search:${archived}`,
    group: 'search',
    title: `ค้น “${text.trim()}”${archived ? ' ในงานที่ส่งมอบแล้ว' : ' ในรายงาน'}`,
    href: `/report${printSearchText({ ...(archived && { is_archived: 'true' }), project_search__in: expression })}`,
  })
  return [
    ...(id
      ? [{ id: `project:${id}`, group: 'number' as const, title: `เปิดโครงการ ${id}`, href: projectHref(id) }]
      : []),
    ...(expression ? [search(false), search(true)] : []),
  ]
}

/** `5.29 ล้านบาท`, `850,000 บาท`. */
const bahtText = (baht: number) => {
  const text = shortMoneyText(baht)
  return text.endsWith('ล้าน') ? `${text}บาท` : `${text} บาท`
}

/** A project of the report, wherever it stands there; outside the active tab the entry says where. */
export function projectEntry(project: ProjectSuggestion): PaletteEntry {
  const { project_id: id, name, dept_sub_name, budget, is_archived, is_hidden } = project
  const place = [is_archived && ARCHIVED, is_hidden && HIDDEN].filter(Boolean).join(' · ')
  return {
    id: `project:${id}`,
    group: 'project',
    title: name,
    note: [id, dept_sub_name, budget === null ? '' : bahtText(budget)].filter(Boolean).join(' · '),
    ...(place !== '' && { place }),
    href: projectHref(id),
  }
}
const ARCHIVED = reportParam('is_archived').th
const HIDDEN = reportParam('project_hidden').th

export const companyEntry = (company: CompanySuggestion): PaletteEntry => ({
  id: `company:${company.id}`,
  group: 'company',
  title: company.name,
  note: `${company.tax_id ?? 'ไม่ทราบเลขประจำตัวผู้เสียภาษี'} · ชนะ ${countText(company.wins)} โครงการ`,
  href: companyHref(company),
})

/** A page of a document in which the question stands, with the passage; it opens there. */
export const documentEntry = (found: DocumentSearch['results'][number], question: string): PaletteEntry => ({
  id: `document:${found.document_id}/${found.page}`,
  group: 'document',
  title: found.excerpt.text,
  note: `${found.document_name} หน้า ${found.page} · ${found.project_name ?? found.project_id}`,
  href: `/report/${encodeURIComponent(found.project_id)}/documents/${encodeURIComponent(found.document_id)}${printSearchText({ page: String(found.page), q: question })}`,
})

/** An agency leads to its page where the package holds it, else to its projects in the report; undefined when its name is no search there. */
export function agencyEntry(
  { department, unit, province, open }: DepartmentUnit,
  { organisation }: Pick<Account, 'organisation'>,
): PaletteEntry | undefined {
  const name = unit === '' ? department : unit
  const expression = compileSearchItems([{ key: '', value: name, negation: false }])
  const hasPage = organisation.is_company_compare
  if (!hasPage && !parseSearchExpression(expression).ok) return undefined
  return {
    id: `agency:${department}/${unit}`,
    group: 'agency',
    title: name,
    note: [unit !== '' && unit !== department && department, province, `ยังดำเนินการ ${countText(open)} โครงการ`]
      .filter(Boolean)
      .join(' · '),
    href: hasPage
      ? agencyHref(agencyTextOf(department, province), unit === '' || unit === department ? {} : { unit })
      : `/report${printSearchText({ project_dept_sub__in: expression })}`,
  }
}

/**
 * What was opened lately, as it is now: a screen, filter or action that is gone is not offered, and one that was renamed has its new
 * name.
 */
export function presentRecent(recent: readonly RecentEntry[], local: readonly PaletteEntry[]): PaletteEntry[] {
  const known = new Map(local.map((entry) => [entry.id, entry]))
  return recent.flatMap((entry) => {
    const isLocal = entry.group === 'page' || entry.group === 'filter' || entry.group === 'action'
    const now = isLocal ? known.get(entry.id) : entry
    return now && (now.href !== undefined || 'run' in now) ? [now] : []
  })
}

/** The groups that hold something, each entry once: where it stands first. */
export function groupsOf(recent: readonly PaletteEntry[], others: readonly PaletteEntry[]) {
  const seen = new Set<string>()
  const isFirst = ({ id }: PaletteEntry) => !seen.has(id) && seen.add(id)
  const first = recent.filter(isFirst)
  const rest = others.filter(isFirst)
  return PALETTE_GROUPS.map(({ code, th }) => ({
    code,
    th,
    entries: code === 'recent' ? first : rest.filter(({ group }) => group === code),
  })).filter(({ entries }) => entries.length > 0)
}
