/** Keys that other modules invalidate, read or patch. Other keys are in their queries and start with the same nouns. */
type Query = Readonly<Record<string, string>>

export const userKeys = { me: ['users', 'me'] as const }
export const organisationKeys = { me: ['organisations', 'me'] as const }
export const reportKeys = {
  all: ['reports'] as const,
  page: (query: Query) => ['reports', 'page', query] as const,
  savedFilterCounts: ['reports', 'saved-filter-counts'] as const,
  facets: (query: Query) => ['reports', 'facets', query] as const,
}
export const morningQueueKeys = { all: ['reports', 'queue'] as const }
/** Invalidated together, because any data load or change of watch words may affect every project page. */
export const projectKeys = {
  all: ['projects'] as const,
  detail: (id: string) => ['projects', 'detail', id] as const,
  ahead: (id: string) => ['projects', 'ahead', id] as const,
}
export const followKeys = { mine: ['follows'] as const }
export const notificationChannelKeys = { mine: ['channels'] as const }
export const savedQuestionKeys = { mine: ['questions'] as const }
export const pursuitKeys = {
  all: ['pursuits'] as const,
  settings: ['pursuits', 'settings'] as const,
  marks: ['pursuits', 'marks'] as const,
  lists: ['pursuits', 'list'] as const,
  detail: (id: string) => ['pursuits', 'detail', id] as const,
}
export const keywordImpactKeys = {
  all: ['impact'] as const,
  stats: ['impact', 'stats'] as const,
  ledgers: ['impact', 'ledger'] as const,
  why: (id: string) => ['impact', 'why', id] as const,
}
export const keywordTermKeys = {
  list: ['keyword-terms', 'list'] as const,
  news: ['keyword-terms', 'news'] as const,
  advice: ['keyword-advice'] as const,
}
export const budgetKeys = { all: ['budgets'] as const }
export const calendarKeys = { all: ['calendar'] as const }
