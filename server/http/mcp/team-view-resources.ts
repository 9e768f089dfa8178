import type { Resource } from '@modelcontextprotocol/sdk/types.js'
import { formatReportSearch } from '#contract/report/report-params.ts'
import type { TeamView, TeamViews } from '#contract/report/team-view.ts'
import { parseStoredFilterSearch } from '#server/report/saved-filter/saved-filter-figures.ts'
import { McpToolError } from './mcp-api.ts'
import { searchProjects, type ToolContext } from './tools.ts'

/** A key acts for no user, so the saved filters that it may read are those that the team shares. */
async function listReadableViews({ api, scopes }: ToolContext) {
  if (!scopes.includes('report') || !scopes.includes('pursuits')) return []
  const { views } = await api<TeamViews>('/team-marks')
  return views.flatMap((view) => {
    const search = parseStoredFilterSearch(view.filterData)
    return search ? [{ view, query: formatReportSearch(search) }] : []
  })
}

const uriOf = ({ owner, id }: TeamView) => `tamngan://saved-filters/${owner}/${encodeURIComponent(id)}`

export async function listTeamViewResources(context: ToolContext): Promise<Resource[]> {
  return (await listReadableViews(context)).map(({ view }) => ({
    uri: uriOf(view),
    name: view.filterName,
    title: view.filterName,
    description: `ตัวกรองที่ ${view.owner_name} แบ่งกับทีม: โครงการหน้าแรกที่ตัวกรองนี้พบ`,
    mimeType: 'application/json',
  }))
}

/** Returns the first page of the filter's projects. Throws McpToolError if the filter is no longer shared. */
export async function readTeamViewResource(context: ToolContext, uri: string) {
  const readable = (await listReadableViews(context)).find(({ view }) => uriOf(view) === uri)
  if (!readable) throw new McpToolError('ไม่พบตัวกรองนี้ เจ้าของอาจเลิกแบ่งแล้ว ขอรายการตัวกรองใหม่')
  return { saved_filter: readable.view.filterName, ...(await searchProjects(context, readable.query)) }
}
