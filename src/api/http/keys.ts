/** Shared query keys are in one module so that mutations can invalidate queries of other modules. */
export const userKeys = { me: ['users', 'me'] as const, sessions: ['users', 'sessions'] as const }
export const organisationKeys = {
  me: ['organisations', 'me'] as const,
  matching: ['organisations', 'matching'] as const,
  team: ['organisations', 'team'] as const,
  loginDomains: ['organisations', 'login-domains'] as const,
}
export const reportKeys = {
  all: ['reports'] as const,
  page: (query: Readonly<Record<string, string>>) => ['reports', 'page', query] as const,
  savedFilterCounts: ['reports', 'saved-filter-counts'] as const,
  ids: (query: Readonly<Record<string, string>>) => ['reports', 'ids', query] as const,
  suggestions: (expression: string) => ['reports', 'suggestions', expression] as const,
  project: (id: string) => ['reports', 'project', id] as const,
  facets: (query: Readonly<Record<string, string>>) => ['reports', 'facets', query] as const,
  whoWins: (query: Readonly<Record<string, string>>) => ['reports', 'who-wins', query] as const,
  patterns: (path: string, query: Readonly<Record<string, string>>) => ['reports', 'odd-signs', path, query] as const,
  contractEnds: (query: Readonly<Record<string, string>>) => ['reports', 'contract-ends', query] as const,
  wonProjects: (query: Readonly<Record<string, string>>) => ['reports', 'won-projects', query] as const,
  shortLink: (code: string) => ['short-links', code] as const,
}
export const morningQueueKeys = {
  all: ['reports', 'queue'] as const,
  of: (query: Readonly<Record<string, string>>) => ['reports', 'queue', query] as const,
  rows: (ids: readonly string[]) => ['reports', 'queue-rows', ids] as const,
  latestLoad: ['reports', 'latest-load'] as const,
}
export const exportKeys = { list: ['exports'] as const }
/**
 * Keys of project pages, all invalidated together because any data load or change of watch words may affect every page.
 */
export const projectKeys = {
  all: ['projects'] as const,
  detail: (id: string) => ['projects', 'detail', id] as const,
  ahead: (id: string) => ['projects', 'ahead', id] as const,
  similarPrices: (id: string, step?: string) => ['projects', 'similar-prices', id, step] as const,
  linked: (id: string) => ['projects', 'linked', id] as const,
}
export const followKeys = { mine: ['follows'] as const }
export const channelKeys = {
  mine: ['channels'] as const,
  push: ['push'] as const,
  browser: ['push', 'browser'] as const,
}
export const savedQuestionKeys = { mine: ['questions'] as const }
export const pursuitKeys = {
  all: ['pursuits'] as const,
  settings: ['pursuits', 'settings'] as const,
  marks: ['pursuits', 'marks'] as const,
  looks: (ids: string) => ['pursuits', 'looks', ids] as const,
  lists: ['pursuits', 'list'] as const,
  list: (query: Readonly<Record<string, string>>) => ['pursuits', 'list', query] as const,
  detail: (id: string) => ['pursuits', 'detail', id] as const,
  results: (query: Readonly<Record<string, string>>) => ['pursuits', 'results', 'of', query] as const,
  resultRows: (query: Readonly<Record<string, string>>) => ['pursuits', 'results', 'rows', query] as const,
}
/** Keys of the effects of watch words, all invalidated when the word lists change. */
export const keywordImpactKeys = {
  all: ['impact'] as const,
  preview: (request: object) => ['impact', 'preview', request] as const,
  stats: ['impact', 'stats'] as const,
  ledgers: ['impact', 'ledger'] as const,
  ledger: (query: Readonly<Record<string, string>>) => ['impact', 'ledger', query] as const,
  why: (id: string) => ['impact', 'why', id] as const,
  check: (list: string, words: readonly string[]) => ['impact', 'check', list, words] as const,
}
export const keywordTermKeys = {
  all: ['keyword-terms'] as const,
  list: ['keyword-terms', 'list'] as const,
  news: ['keyword-terms', 'news'] as const,
  expansion: (word: string) => ['keyword-terms', 'expansion', word] as const,
  advice: ['keyword-advice'] as const,
  lesson: (keywordId: number) => ['keyword-lesson', keywordId] as const,
  draftLesson: (draft: object) => ['keyword-lesson', 'draft', draft] as const,
  evidence: (terms: readonly { term: string; facet: number; acts: boolean }[]) =>
    ['keyword-evidence', terms.map(({ term, facet, acts }) => `${facet}${acts ? '+' : '-'}${term}`).join('|')] as const,
}
export const departmentKeys = {
  list: (query: Readonly<Record<string, string>>) => ['departments', query] as const,
}
export const starterWordKeys = { of: (types: readonly number[]) => ['starter-words', types] as const }
export const reportMailKeys = {
  preview: ['report-mail', 'preview'] as const,
  link: (token: string) => ['report-mail', 'link', token] as const,
}
export const invitationKeys = { of: (token: string) => ['invitation', token] as const }
export const passwordResetLinkKeys = { of: (token: string) => ['reset-link', token] as const }
export const companyKeys = {
  all: ['companies'] as const,
  list: (query: Readonly<Record<string, string>>) => ['companies', 'list', query] as const,
  suggestions: (text: string) => ['companies', 'suggestions', text] as const,
  winners: ['companies', 'winners'] as const,
  detail: (name: string, query: Readonly<Record<string, string>>) => ['companies', 'detail', name, query] as const,
  projects: (name: string, query: Readonly<Record<string, string>>) => ['companies', 'projects', name, query] as const,
  timeline: (name: string, query: Readonly<Record<string, string>>) => ['companies', 'timeline', name, query] as const,
}
export const agencyKeys = {
  detail: (part: string, query: Readonly<Record<string, string>>) => ['agencies', 'detail', part, query] as const,
  projects: (part: string, query: Readonly<Record<string, string>>) => ['agencies', 'projects', part, query] as const,
}
export const comparisonKeys = {
  of: (query: Readonly<Record<string, string>>) => ['company-comparison', 'of', query] as const,
  projects: (query: Readonly<Record<string, string>>) => ['company-comparison', 'projects', query] as const,
  pairs: ['company-comparison', 'pairs'] as const,
  likely: (projectId: string) => ['company-comparison', 'likely', projectId] as const,
}
export const budgetKeys = {
  all: ['budgets'] as const,
  years: ['budgets', 'years'] as const,
  page: (query: Readonly<Record<string, string>>) => ['budgets', 'page', query] as const,
  summary: (query: Readonly<Record<string, string>>) => ['budgets', 'summary', query] as const,
  detail: (id: number) => ['budgets', 'detail', id] as const,
}
export const calendarKeys = {
  all: ['calendar'] as const,
  feeds: ['calendar-feeds'] as const,
  of: (query: Readonly<Record<string, string>>) => ['calendar', 'of', query] as const,
}
export const usageLogKeys = { page: (query: Readonly<Record<string, string>>) => ['usage-log', query] as const }
