import { setTimeout as sleep } from 'node:timers/promises'
import { toGroupedAnswer } from './limits.ts'
import { type Contender, fetchText, PAGE_SIZE, type Question } from './questions.ts'

const POLL_INTERVAL_MS = 500
const MAX_WAIT_MS = 180_000

type ReportServer = { readonly base: string; readonly bearer: string; readonly isArchived: boolean }

/** Measures the product's own report: a full page with all its data, or the counts of all its filters at once. */
export function createReportContender({ base, bearer, isArchived }: ReportServer): Contender {
  const headers = { authorization: `Bearer ${bearer}` }
  const tab: Record<string, string> = isArchived ? { is_archived: 'true' } : {}
  return {
    name: 'this product',
    ask: (question) =>
      fetchText(
        `${base}/api/v2/projects${question.kind === 'groups' ? '/facets' : ''}?${new URLSearchParams({ ...tab, ...parameters(question) })}`,
        headers,
      ),
    read(question, body) {
      if (question.kind !== 'groups') return { total: (JSON.parse(body) as { total_project: number }).total_project }
      const { options } = JSON.parse(body) as { options: Record<string, { value: string; count: number }[]> }
      return toGroupedAnswer(
        (options.project_province__in ?? []).map(({ value, count }) => ({ province: value, count })),
      )
    },
  }
}

function parameters(question: Question): Record<string, string> {
  switch (question.kind) {
    case 'page':
      return { page: String(question.page), page_size: String(PAGE_SIZE) }
    case 'word':
      return { project_name__in: question.word }
    case 'filtered':
      return {
        project_province__in: question.provinces.join('||'),
        project_budget__range: `${question.min},${question.max}`,
        ordering: '-project_budget',
      }
    case 'groups':
      return { project_budget__range: `${question.min},${question.max}` }
  }
}

export async function waitUntilCached(base: string, sendQuery: () => Promise<string>): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS
  while (performance.now() < until) {
    await sendQuery()
    const metrics = await fetchText(`${base}/metrics`, {})
    if (/^report_answers\{by="memory"\} [1-9]/m.test(metrics)) return
    await sleep(POLL_INTERVAL_MS)
  }
  throw new Error('the report was not served from memory in time')
}
