import type { ApiKeyScope } from '#contract/account/api-key.ts'
import type { PursuitSettings } from '#contract/account/pursuit-settings.ts'
import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import type { Agency } from '#contract/market/agency.ts'
import { AGENCY_PARAMS, isAgencyCode } from '#contract/market/agency-params.ts'
import type { CompanyDetail, CompanyRef } from '#contract/market/company.ts'
import { COMPANY_PARAMS } from '#contract/market/company-params.ts'
import type { WhoWins } from '#contract/market/who-wins.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import type { ReportPageResponse, ReportRow } from '#contract/report/report.ts'
import {
  findReportParam,
  formatReportSearch,
  parseReportSearch,
  REPORT_CONFIDENTIAL_PARAMS,
  REPORT_PARAMS,
  type ReportParamName,
} from '#contract/report/report-params.ts'
import type { PursuitList } from '#contract/team/pursuit.ts'
import { type McpApi, McpToolError } from './mcp-api.ts'
import { type ToolArgument, toQueryArgument, toReportArgument } from './tool-arguments.ts'

export type ToolContext = {
  readonly api: McpApi
  readonly link: (path: string) => string
  readonly scopes: readonly ApiKeyScope[]
}

type Query = Readonly<Record<string, string>>

export type McpTool = {
  readonly name: string
  readonly scope: ApiKeyScope
  readonly title: string
  readonly description: string
  readonly args: (scopes: readonly ApiKeyScope[]) => readonly ToolArgument[]
  readonly run: (context: ToolContext, query: Query) => Promise<Readonly<Record<string, unknown>>>
}

const DEFAULT_PAGE_SIZE = '20'
const DEFAULT_DEADLINE_DAYS = 14
const MAX_DEADLINE_DAYS = 365
const MAX_PURSUITS = 100

/** Marks of a user, which a key never has, and parameters of our screens that select no projects. */
const isScreenParam = ({ owner, role, name }: { owner?: string; role?: string; name: string }) =>
  owner === 'user' || (role === 'view' && !['ordering', 'page', 'page_size'].includes(name))

function toReportArguments(
  scopes: readonly ApiKeyScope[],
  without: readonly ReportParamName[] = [],
  additional: readonly ReportParamName[] = [],
): ToolArgument[] {
  const names = REPORT_PARAMS.filter((param) => !isScreenParam(param) && !without.includes(param.name))
  return [...names.map(({ name }) => name), ...additional].map((name) => ({
    ...toReportArgument(findReportParam(name)),
    isUnlisted: REPORT_CONFIDENTIAL_PARAMS.includes(name) && !scopes.includes('pursuits'),
  }))
}

const projectId: ToolArgument = {
  name: 'project_id',
  type: 'string',
  description: 'เลขที่โครงการของ e-GP เช่น 67110000001',
  isRequired: true,
}

const withQuery = (path: string, query: Query) => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}
const projectPath = (id: string) => `/report/${encodeURIComponent(id)}`
const reportPath = (query: Query) => withQuery('/report', formatReportSearch(parseReportSearch(query).search))

/** The address needs the tax id where several companies have one name; `-` selects the company without one. */
const companyPath = ({ name, tax_id, is_shared_name }: CompanyRef) =>
  withQuery(
    `/companies/${encodeURIComponent(encodeNameForUrlPath(name))}`,
    is_shared_name ? { tin: tax_id ?? '-' } : {},
  )
const agencyPath = (name: string) => `/agencies/${encodeURIComponent(encodeNameForUrlPath(name))}`

const presentProjectRow = (row: ReportRow, loadedAt: string | null, { link }: ToolContext) => ({
  ...row,
  url: link(projectPath(row.project_id)),
  source: { system: 'e-GP', egp_number: row.project_id, loaded_at: loadedAt, from_documents: row.from_documents ?? [] },
})

export async function searchProjects(context: ToolContext, query: Query): Promise<Readonly<Record<string, unknown>>> {
  const { links, results, ...page } = await context.api<ReportPageResponse>('/projects', {
    page_size: DEFAULT_PAGE_SIZE,
    ...query,
  })
  return {
    url: context.link(reportPath(query)),
    source: { system: 'e-GP', loaded_at: page.data_time },
    has_next_page: links.next !== null,
    ...page,
    results: results.map((row) => presentProjectRow(row, page.data_time, context)),
  }
}

const NOT_IN_REPORT = 'ตรวจเลขที่โครงการ หรือหาด้วย search_projects ซึ่งเห็นเฉพาะโครงการในรายงานขององค์กร'

export const MCP_TOOLS: readonly McpTool[] = [
  {
    name: 'search_projects',
    scope: 'report',
    title: 'ค้นโครงการ',
    description:
      'ค้นและกรองโครงการในรายงานขององค์กร ทีละหน้า ไม่ใส่ตัวกรองได้ทั้งรายงาน งานที่ส่งมอบแล้วอยู่ใน is_archived ค้นตามความหมายด้วย ai_deep_search__in',
    args: (scopes) => toReportArguments(scopes),
    run: searchProjects,
  },
  {
    name: 'get_project',
    scope: 'report',
    title: 'ดูโครงการ',
    description:
      'รายละเอียดของโครงการหนึ่ง: ประวัติการเปลี่ยนแปลง ไฟล์ ผู้ยื่น สัญญา และที่มาของแต่ละข้อมูลใน fact_sources (แหล่ง เวลา หน้าเอกสาร)',
    args: () => [projectId],
    async run({ api, link }, { project_id: id }) {
      const { source: feed, ...project } = await api<ProjectDetail>(
        `/projects/${encodeURIComponent(id!)}`,
        {},
        NOT_IN_REPORT,
      )
      const source = {
        ...{ system: 'e-GP', egp_number: project.row.project_id, loaded_at: project.data_time ?? project.changed_at },
        ...{ feed, first_seen_at: project.first_seen_at, changed_at: project.changed_at },
      }
      return { url: link(projectPath(project.row.project_id)), source, ...project }
    },
  },
  {
    name: 'project_documents',
    scope: 'report',
    title: 'เอกสารของโครงการ',
    description:
      'เอกสารของโครงการที่อ่านแล้ว กับข้อเท็จจริงในเอกสาร พร้อมเลขหน้าและประโยคจริง ข้อเท็จจริงที่ state เป็น unsure ไม่มีค่า ให้อ้างประโยคแทน',
    args: () => [projectId],
    async run({ api, link }, { project_id: id }) {
      const path = `/projects/${encodeURIComponent(id!)}/documents`
      const { documents } = await api<{ documents: readonly ProjectDocument[] }>(path, {}, NOT_IN_REPORT)
      return {
        url: link(withQuery(projectPath(id!), { tab: 'files' })),
        source: { system: 'e-GP', egp_number: id },
        documents: documents.map((document) => {
          const documentPath = `${projectPath(id!)}/documents/${encodeURIComponent(document.id)}`
          return {
            ...document,
            url: link(documentPath),
            source: { egp_number: id, link: document.link, loaded_at: document.fetched_at ?? document.added_at },
            facts: document.facts.map((fact) => ({
              ...fact,
              url: link(withQuery(documentPath, { page: String(fact.page) })),
            })),
          }
        }),
      }
    },
  },
  {
    name: 'deadlines',
    scope: 'report',
    title: 'งานใกล้หมดเวลา',
    description: 'โครงการในรายงานที่จะปิดรับข้อเสนอ หรือสิ้นสุดการวิจารณ์ร่าง ภายในจำนวนวันที่ระบุ ใกล้ที่สุดก่อน',
    args: () => [
      {
        name: 'days',
        type: 'integer',
        description: `ภายในกี่วันนับจากวันนี้ 0 ถึง ${MAX_DEADLINE_DAYS} ปกติ ${DEFAULT_DEADLINE_DAYS}`,
      },
      { name: 'kind', type: 'string', description: 'submission (ยื่นข้อเสนอ ค่าปกติ) หรือ discussion (วิจารณ์ร่าง)' },
      ...(['page', 'page_size'] as const).map((name) => toReportArgument(findReportParam(name))),
    ],
    async run(context, { days = String(DEFAULT_DEADLINE_DAYS), kind = 'submission', ...pages }) {
      if (!/^\d{1,3}$/.test(days) || Number(days) > MAX_DEADLINE_DAYS)
        throw new McpToolError(`days: ต้องเป็นจำนวนเต็ม 0 ถึง ${MAX_DEADLINE_DAYS}`)
      if (kind !== 'submission' && kind !== 'discussion') throw new McpToolError('kind: ใช้ได้ submission หรือ discussion')
      const field = kind === 'submission' ? 'submission_end_date' : 'draft_discussion_end_date'
      const state: Query = kind === 'submission' ? { project_bidding__in: 'open' } : {}
      return searchProjects(context, { ...state, [`${field}__range`]: `@0,@${days}`, ordering: field, ...pages })
    },
  },
  {
    name: 'my_pursuits',
    scope: 'pursuits',
    title: 'งานของเรา',
    description: `งานที่ทีมกำลังตามหรือยื่น: ขั้น ผู้ดูแล การตัดสินใจ โน้ต และวันปิดรับ เปลี่ยนล่าสุดก่อน ไม่เกิน ${MAX_PURSUITS} งาน ไม่มีราคาของเรา`,
    args: () => [
      { name: 'stage', type: 'string', description: 'รหัสขั้นจาก stages ในคำตอบ หลายขั้นคั่นด้วย ,' },
      { name: 'due_within', type: 'integer', description: 'เฉพาะงานที่ปิดรับภายในกี่วัน' },
    ],
    async run({ api, link }, query) {
      const { stages, members } = await api<PursuitSettings>('/pursuits/settings')
      const { results, total } = await api<PursuitList>('/pursuits', query)
      return {
        url: link('/board'),
        source: { system: 'ตามงาน', of: 'งานของทีม' },
        total,
        stages,
        results: results.slice(0, MAX_PURSUITS).map(({ owner, stage, ...card }) => ({
          ...card,
          stage,
          stage_name: stages.find(({ id }) => id === stage)?.name ?? stage,
          owner_name: members.find(({ id }) => id === owner)?.name ?? null,
          url: link(projectPath(card.project_id)),
          source: { egp_number: card.project_id, changed_at: card.changed_at },
        })),
      }
    },
  },
  {
    name: 'who_wins',
    scope: 'companies',
    title: 'ใครชนะ',
    description: 'บริษัทที่ชนะ หน่วยงาน ส่วนลด วิธี และปี ของโครงการที่ตัวกรองพบ ในรายงานขององค์กร หรือทั้งตลาดด้วย market',
    args: (scopes) =>
      toReportArguments(scopes, ['project_bidding__in', 'ordering', 'page', 'page_size'], ['market', 'rank']),
    async run({ api, link }, query) {
      const { companies, agencies, ...figures } = await api<WhoWins>('/who-wins', query)
      const url = reportPath({ ...query, view: 'who_wins' })
      return {
        url: link(url),
        source: { system: 'e-GP', computed_at: figures.scope.computed_at, projects: figures.scope.n },
        ...figures,
        companies: {
          ...companies,
          results: companies.results.map((company) => ({ ...company, url: link(companyPath(company)) })),
        },
        agencies: {
          ...agencies,
          results: agencies.results.map((agency) => ({ ...agency, url: link(agencyPath(agency.name)) })),
        },
      }
    },
  },
  {
    name: 'company',
    scope: 'companies',
    title: 'บริษัท',
    description: 'ตัวเลขของบริษัทหนึ่ง: ชนะอะไร จากใคร ส่วนลดเท่าไร เจอใคร ทั้งตลาดหรือเฉพาะรายงาน (scope)',
    args: () => [
      {
        name: 'name',
        type: 'string',
        description: 'ชื่อเต็ม หรือเลขประจำตัวผู้เสียภาษี 13 หลัก',
        isRequired: true,
      },
      ...COMPANY_PARAMS.filter(({ name }) => COMPANY_ARGUMENTS.includes(name)).map(toQueryArgument),
    ],
    async run({ api, link }, { name, ...query }) {
      const path = `/companies/${encodeURIComponent(encodeNameForUrlPath(name!))}`
      const hint = 'ใช้ชื่อเต็มตามหนังสือรับรองหรือเลขผู้เสียภาษี 13 หลัก หรือหาชื่อจาก who_wins'
      const company = await api<CompanyDetail>(path, query, hint)
      const { scope } = company
      const source = {
        system: 'e-GP',
        tax_id: company.company.tax_id,
        computed_at: scope.computed_at,
        projects: scope.n,
      }
      return { url: link(companyPath(company.company)), source, ...company }
    },
  },
  {
    name: 'agency',
    scope: 'companies',
    title: 'หน่วยงาน',
    description: 'หน่วยงานซื้ออะไร เมื่อไร จากใคร เร็วแค่ไหน และงานของเราที่นั่น',
    args: () => [
      { name: 'agency', type: 'string', description: 'ชื่อหน่วยงาน หรือรหัส e-GP', isRequired: true },
      ...AGENCY_PARAMS.filter(({ name }) => name !== 'rows' && name !== 'page').map(toQueryArgument),
    ],
    async run({ api, link }, { agency: codeOrName, ...query }) {
      const segment = isAgencyCode(codeOrName!) ? codeOrName! : encodeNameForUrlPath(codeOrName!)
      const hint = 'ใช้ชื่อเต็มของหน่วยงานหรือรหัส e-GP หรือหาชื่อจาก who_wins'
      const agency = await api<Agency>(`/agencies/${encodeURIComponent(segment)}`, query, hint)
      const { code, text } = agency.agency
      const source = {
        system: 'e-GP',
        agency_code: code,
        computed_at: agency.scope.computed_at,
        projects: agency.scope.n,
      }
      return { url: link(code === null ? agencyPath(text) : `/agencies/${code}`), source, ...agency }
    },
  },
]

const COMPANY_ARGUMENTS: readonly string[] = [
  'tin',
  'scope',
  'year_from',
  'year_to',
  'project_dept_sub__in',
  'project_province__in',
  'project_method__in',
  'project_method_type__in',
]
