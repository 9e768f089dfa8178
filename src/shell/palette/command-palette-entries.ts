import {
  Building,
  Building2,
  FileSearch,
  FileText,
  Hash,
  LayoutGrid,
  Search,
  SlidersHorizontal,
  Zap,
} from 'lucide-react'
import type { Organisation } from '#contract/account/organisation.ts'
import type { User } from '#contract/account/user.ts'
import { formatPurchasingUnitAgencyName } from '#contract/catalogue/agency-name.ts'
import { parseCompanyTaxId } from '#contract/catalogue/company-name.ts'
import type { DepartmentUnit } from '#contract/catalogue/department.ts'
import { extractProjectId } from '#contract/catalogue/project-id.ts'
import { type DocumentSearchResponse, parseDocumentQuery } from '#contract/documents/document-search.ts'
import type { CompanySuggestion } from '#contract/market/company.ts'
import type { ProjectSuggestion } from '#contract/report/report.ts'
import { parseReportExpression } from '#contract/report/report-param-kinds.ts'
import { findReportParam } from '#contract/report/report-params.ts'
import { buildSavedFilterUrlParams } from '#contract/report/saved-filter-search.ts'
import { findSearchOperator } from '#contract/search/search-characters.ts'
import { compileSearchChips } from '#contract/search/search-chips.ts'
import { parseSearchExpression, SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { getSettingsSearch, listSettingsTabs } from '#src/account/settings-address/settings-address.ts'
import { getAgencyHref } from '#src/lib/agency-url.ts'
import { getCompanyHref } from '#src/lib/company-url.ts'
import { shortMoneyText, withBahtUnit } from '#src/lib/figure-text.ts'
import { formatQueryString } from '#src/lib/flat-search-params.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import { formatReportUrlSearch } from '#src/lib/report-url.ts'
import {
  getNavEntries,
  isOurWorkEntry,
  type NavScreen,
  OUR_WORK_TABS,
  STARRED_REPORT,
} from '#src/shell/navigation/nav-entries.ts'

/** In display order: local before server results, so that the list does not shift while the user selects. */
export const COMMAND_PALETTE_GROUPS = [
  { code: 'recent', th: 'ล่าสุด', icon: Search },
  { code: 'number', th: 'เลขที่โครงการ', icon: Hash },
  { code: 'page', th: 'หน้า', icon: LayoutGrid },
  { code: 'filter', th: 'ตัวกรองที่บันทึก', icon: SlidersHorizontal },
  { code: 'action', th: 'คำสั่ง', icon: Zap },
  { code: 'search', th: 'ค้นในรายงาน', icon: Search },
  { code: 'project', th: 'โครงการ', icon: FileText },
  { code: 'company', th: 'บริษัท', icon: Building },
  { code: 'agency', th: 'หน่วยงาน', icon: Building2 },
  { code: 'document', th: 'ในเอกสาร', icon: FileSearch },
] as const
export type CommandPaletteGroup = (typeof COMMAND_PALETTE_GROUPS)[number]['code']

export type CommandPaletteEntry = {
  readonly id: string
  readonly group: CommandPaletteGroup
  readonly title: string
  readonly note?: string | undefined
  readonly scopeText?: string | undefined
  readonly words?: string | undefined
  readonly href?: string | undefined
  readonly run?: (() => void) | undefined
}

export type RecentCommandPaletteEntry = Pick<CommandPaletteEntry, 'id' | 'group' | 'title' | 'note' | 'href'>

export type CommandPaletteAccount = {
  readonly user: User
  readonly organisation: Organisation
  readonly isDemo: boolean
}

const page = (path: string, name: string, words?: string): CommandPaletteEntry => ({
  id: `page:${path}`,
  group: 'page',
  title: name,
  href: path,
  words,
})

const FORMER_NAMES: Partial<Record<NavScreen['path'], string>> = { '/watch': 'เฝ้าติดตาม', '/results': 'สรุปผล' }

const toScreenPage = ({ path, name, search = {} }: NavScreen, title = name): CommandPaletteEntry => ({
  ...page(path, title, `${path} ${FORMER_NAMES[path] ?? ''}`),
  href: `${path}${formatQueryString(formatReportUrlSearch(search))}`,
})

function ourWorkEntries(): CommandPaletteEntry[] {
  return OUR_WORK_TABS.map((tab) => {
    const entry = toScreenPage(tab, `งานของเรา · ${tab.name}`)
    return tab === STARRED_REPORT ? { ...entry, id: 'page:starred' } : entry
  })
}

function reportViewEntries({ organisation }: CommandPaletteAccount): CommandPaletteEntry[] {
  const view = (name: string, search: Record<string, string>, words: string) => ({
    ...page(`view/${name}`, name, words),
    href: `/report${formatQueryString(search)}`,
  })
  return [
    ...(organisation.is_company_compare ? [view('ใครชนะ', { view: 'who_wins' }, 'ผู้ชนะ คู่แข่ง who wins')] : []),
    view('สัญญาใกล้หมด', { view: 'contract_ends', ends_within: '180' }, 'contract ends'),
  ]
}

function settingsEntries({ user, organisation, isDemo }: CommandPaletteAccount): CommandPaletteEntry[] {
  if (isDemo) return []
  const tabs = listSettingsTabs({
    role: user.role,
    isBudgetOnly: organisation.is_access_budget_year_only,
    isSecondFactorDue: user.second_factor_due === true,
  })
  return tabs.map((tab) => {
    const href = `/settings${formatQueryString({ ...getSettingsSearch(tab, undefined) })}`
    const words = tab.parts.map(({ label }) => label).join(' ')
    return { ...page(href, `ตั้งค่า · ${tab.label}`, `settings ${words}`), href }
  })
}

function screenEntries(account: CommandPaletteAccount): CommandPaletteEntry[] {
  const { user, isDemo } = account
  return [
    ...getNavEntries(account).flatMap((entry) => (isOurWorkEntry(entry) ? ourWorkEntries() : toScreenPage(entry))),
    ...(hasReportAccess(account) ? reportViewEntries(account) : []),
    ...settingsEntries(account),
    ...(user.role === 'super_user' && !isDemo ? [page('/logs', 'ประวัติการใช้งาน', 'logs')] : []),
  ]
}

const filterEntries = ({ user }: CommandPaletteAccount): CommandPaletteEntry[] =>
  user.project_save_filter_profile.map((filter) => ({
    id: `filter:${filter.id}`,
    group: 'filter',
    title: filter.filterName,
    href: `/report${formatQueryString(buildSavedFilterUrlParams(filter))}`,
  }))

export const hasReportAccess = ({ organisation }: Pick<CommandPaletteAccount, 'organisation'>) =>
  !organisation.is_access_budget_year_only

export function buildLocalCommandPaletteEntries(
  account: CommandPaletteAccount,
  actions: readonly CommandPaletteEntry[],
): CommandPaletteEntry[] {
  return [...screenEntries(account), ...(hasReportAccess(account) ? filterEntries(account) : []), ...actions]
}

const wordsOf = (text: string) =>
  text.split(/\s+/).filter((word) => toNormalisedSearchText(word).length >= SEARCH_LIMITS.termLength)

/** Returns the search expression for the project number in the text or for all words; undefined if invalid. */
export function toPaletteSearchExpression(text: string): string | undefined {
  const id = extractProjectId(text)
  const values = id ? [id] : wordsOf(text)
  const expression = compileSearchChips(values.map((value) => ({ key: '', value, negation: false })))
  return expression !== '' && parseReportExpression('project_search__in', expression).ok ? expression : undefined
}

const hasOperators = (text: string) => findSearchOperator(text) !== -1 || text.includes('"')

/** Returns the document query: verbatim if it has operators, else all words on one page; undefined if invalid. */
export function toPaletteDocumentQuery(text: string): string | undefined {
  const typed = text.trim()
  const allWords = typed.split(/\s+/).join(' ## ')
  const candidates = hasOperators(typed) ? [typed] : [allWords, typed]
  return candidates.find((candidate) => parseDocumentQuery(candidate).ok)
}

export function matchCommandPaletteEntries(
  entries: readonly CommandPaletteEntry[],
  text: string,
): CommandPaletteEntry[] {
  const searchWords = text.split(/\s+/).map(toNormalisedSearchText).filter(Boolean)
  return entries.filter(({ title, note = '', words = '' }) => {
    const name = toNormalisedSearchText(`${title} ${note} ${words}`)
    return searchWords.every((word) => name.includes(word))
  })
}

/**
 * Offers to search the report for the text. If the package includes companies, a company's tax id gets no entry,
 * because it matches no project and Enter should open the company that the search finds.
 */
export function buildCommandPaletteEntriesForText(
  text: string,
  { organisation }: Pick<CommandPaletteAccount, 'organisation'>,
): CommandPaletteEntry[] {
  if (organisation.is_company_compare && isTypedTaxId(text)) return []
  const id = extractProjectId(text)
  const expression = toPaletteSearchExpression(text)
  const search = (archived: boolean): CommandPaletteEntry => ({
    id: `search:${archived}`,
    group: 'search',
    title: `ค้น “${text.trim()}”${archived ? ' ในงานที่ส่งมอบแล้ว' : ' ในรายงาน'}`,
    href: `/report${formatQueryString({ ...(archived && { is_archived: 'true' }), project_search__in: expression })}`,
  })
  return [
    ...(id
      ? [{ id: `project:${id}`, group: 'number' as const, title: `เปิดโครงการ ${id}`, href: getProjectHref(id) }]
      : []),
    ...(expression ? [search(false), search(true)] : []),
  ]
}

const isTypedTaxId = (text: string) =>
  /^[\d\s-]{13,20}$/.test(text) && parseCompanyTaxId(text.replace(/\D/g, '')) !== undefined

const bahtText = (baht: number) => withBahtUnit(shortMoneyText(baht))

export function toProjectCommandPaletteEntry(project: ProjectSuggestion): CommandPaletteEntry {
  const { project_id: id, name, dept_sub_name, budget, is_archived, is_hidden } = project
  const scopeText = joinParts(is_archived && ARCHIVED_TEXT, is_hidden && HIDDEN_TEXT)
  return {
    id: `project:${id}`,
    group: 'project',
    title: name,
    note: joinParts(id, dept_sub_name, budget === null ? '' : bahtText(budget)),
    ...(scopeText !== '' && { scopeText }),
    href: getProjectHref(id),
  }
}
const ARCHIVED_TEXT = findReportParam('is_archived').th
const HIDDEN_TEXT = findReportParam('project_hidden').th

export const toCompanyCommandPaletteEntry = (company: CompanySuggestion): CommandPaletteEntry => ({
  id: `company:${company.id}`,
  group: 'company',
  title: company.name,
  note: `${company.tax_id ?? 'ไม่ทราบเลขประจำตัวผู้เสียภาษี'} · ชนะ ${formatCount(company.wins)} โครงการ`,
  href: getCompanyHref(company),
})

export const toDocumentCommandPaletteEntry = (
  hit: DocumentSearchResponse['results'][number],
  query: string,
): CommandPaletteEntry => ({
  id: `document:${hit.document_id}/${hit.page}`,
  group: 'document',
  title: hit.excerpt.text,
  note: `${hit.document_name} หน้า ${hit.page} · ${hit.project_name ?? hit.project_id}`,
  href: `/report/${encodeURIComponent(hit.project_id)}/documents/${encodeURIComponent(hit.document_id)}${formatQueryString({ page: String(hit.page), q: query })}`,
})

export function toAgencyCommandPaletteEntry(
  { department, unit, province, open: openCount }: DepartmentUnit,
  { organisation }: Pick<CommandPaletteAccount, 'organisation'>,
): CommandPaletteEntry | undefined {
  const name = unit === '' ? department : unit
  const expression = compileSearchChips([{ key: '', value: name, negation: false }])
  const hasPage = organisation.is_company_compare
  if (!hasPage && !parseSearchExpression(expression).ok) return undefined
  return {
    id: `agency:${department}/${unit}`,
    group: 'agency',
    title: name,
    note: joinParts(
      unit !== '' && unit !== department && department,
      province,
      `ยังดำเนินการ ${formatCount(openCount)} โครงการ`,
    ),
    href: hasPage
      ? getAgencyHref(
          formatPurchasingUnitAgencyName(department, province),
          unit === '' || unit === department ? {} : { unit },
        )
      : `/report${formatQueryString({ project_dept_sub__in: expression })}`,
  }
}

export function resolveRecentCommandPaletteEntries(
  recent: readonly RecentCommandPaletteEntry[],
  local: readonly CommandPaletteEntry[],
): CommandPaletteEntry[] {
  const localById = new Map(local.map((entry) => [entry.id, entry]))
  return recent.flatMap((entry) => {
    const isLocal = entry.group === 'page' || entry.group === 'filter' || entry.group === 'action'
    const current = isLocal ? localById.get(entry.id) : entry
    return current && (current.href !== undefined || 'run' in current) ? [current] : []
  })
}

/** Returns the nonempty groups; an entry in several groups appears only in the first. */
export function groupCommandPaletteEntries(
  recent: readonly CommandPaletteEntry[],
  otherEntries: readonly CommandPaletteEntry[],
) {
  const seenIds = new Set<string>()
  const isFirst = ({ id }: CommandPaletteEntry) => !seenIds.has(id) && seenIds.add(id)
  const recentFirst = recent.filter(isFirst)
  const remaining = otherEntries.filter(isFirst)
  return COMMAND_PALETTE_GROUPS.map(({ code, th }) => ({
    code,
    th,
    entries: code === 'recent' ? recentFirst : remaining.filter(({ group }) => group === code),
  })).filter(({ entries }) => entries.length > 0)
}
