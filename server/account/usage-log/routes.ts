import {
  MAX_USAGE_LOG_EXPORT_ROWS,
  USAGE_LOG_DEFAULT_PAGE_SIZE,
  USAGE_LOG_PARAMS,
  USAGE_LOG_TYPES,
  type UsageLogPageResponse,
  type UsageLogSearch,
  usageLogPageSchema,
} from '#contract/account/usage-log.ts'
import { getChoiceLabel } from '#contract/catalogue/project.ts'
import { buildDatedFileName } from '#contract/dated-file-name.ts'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { loadOrganisationName } from '#server/account/organisation/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { buildPageLinks } from '#server/platform/route/page-links.ts'
import { parseQueryParamsOrThrow } from '#server/platform/route/parse-query-params.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { recordUsageEvents } from '#server/platform/route/usage-events.ts'
import { createSheetColumn, type SheetRow } from '#server/platform/workbook/sheet-xml.ts'
import { writeSingleTableWorkbook } from '#server/platform/workbook/xlsx-file.ts'
import {
  countUsageEvents,
  loadUsageEventPage,
  loadUsageEventsBefore,
  loadUsageLogFilterOptions,
  type StoredUsageEvent,
} from './queries.ts'

const COLUMNS = [
  createSheetColumn('วันเวลา', 'text', 22),
  createSheetColumn('ผู้ใช้', 'text', 28),
  createSheetColumn('ประเภท', 'text', 18),
  createSheetColumn('รายละเอียด', 'text', 50),
  createSheetColumn('ข้อมูลเพิ่มเติม', 'text', 70),
]
const PAGE_SIZE = 1_000

function typeName(type: string): string {
  return getChoiceLabel(USAGE_LOG_TYPES, type)
}

async function usageFile(
  db: Db,
  organisationId: number,
  search: UsageLogSearch,
  about: { readonly organisation: string; readonly now: Date },
): Promise<AsyncGenerator<Buffer>> {
  const total = await countUsageEvents(db, organisationId, search)
  return writeSingleTableWorkbook({
    sheetName: 'ประวัติการใช้งาน',
    columns: COLUMNS,
    pages: exportPages(db, organisationId, search),
    note:
      total > MAX_USAGE_LOG_EXPORT_ROWS
        ? `ไฟล์นี้มี ${formatCount(MAX_USAGE_LOG_EXPORT_ROWS)} รายการล่าสุด จากทั้งหมด ${formatCount(total)} รายการ กรองช่วงวันที่ให้แคบลงเพื่อส่งออกส่วนที่เหลือ`
        : undefined,
    aboutName: 'เกี่ยวกับไฟล์นี้',
    about: [
      ['องค์กร', about.organisation],
      ['ส่งออกเมื่อ', formatBangkokTime(about.now)],
      ['จำนวนรายการ', formatCount(Math.min(total, MAX_USAGE_LOG_EXPORT_ROWS))],
    ],
  })
}

async function* exportPages(
  db: Db,
  organisationId: number,
  search: UsageLogSearch,
): AsyncGenerator<readonly SheetRow[]> {
  let before: { datetime: string; id: number } | undefined
  for (let written = 0; written < MAX_USAGE_LOG_EXPORT_ROWS; written += PAGE_SIZE) {
    const entries = await loadUsageEventsBefore(db, organisationId, search, { before, limit: PAGE_SIZE })
    if (entries.length > 0) yield entries.map(rowOf)
    if (entries.length < PAGE_SIZE) return
    before = entries.at(-1)
  }
}

const rowOf = ({ datetime, user, type, description, additional_info: info }: StoredUsageEvent): SheetRow => [
  formatBangkokTime(new Date(datetime)),
  user,
  typeName(type),
  description,
  info.map(({ name, value }) => `${name}: ${value}`).join('\n'),
]

const config = { feature: 'report', role: 'super_user' } as const
const tags = ['usage log']

/** The organisation's activity and its export, for super users (specification section 6). */
export function usageLogRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  app.get(
    '/organisations/me/logs',
    {
      config,
      schema: {
        tags,
        summary: 'List the actions of members of the organisation, newest first',
        response: { 200: usageLogPageSchema },
      },
    },
    async (request): Promise<UsageLogPageResponse> => {
      const { organisationId } = await context.actorOf(request)
      const { search, ignored } = parseQueryParamsOrThrow(USAGE_LOG_PARAMS, request.query)
      const { page = 1, page_size: size = USAGE_LOG_DEFAULT_PAGE_SIZE } = search
      const offset = (page - 1) * size
      return db.transaction(
        async (tx) => {
          const total = await countUsageEvents(tx, organisationId, search)
          const { users, firstAt } = await loadUsageLogFilterOptions(tx, organisationId)
          return {
            links: buildPageLinks({ page, pageSize: size, total }, (to) => pageLink(request.query, to)),
            total_project: total,
            page,
            page_size: size,
            results:
              offset < total ? await loadUsageEventPage(tx, organisationId, search, { limit: size, offset }) : [],
            users,
            first_at: firstAt,
            ignored_parameters: [...ignored],
          }
        },
        { readOnly: true },
      )
    },
  )

  app.get(
    '/organisations/me/logs/export',
    {
      config: { ...config, fresh: true },
      schema: { tags, summary: 'Download the usage log as an Excel file, with the same filters as the list' },
    },
    async (request, reply) => {
      const { organisationId, userId } = await context.actorOf(request)
      const { search } = parseQueryParamsOrThrow(USAGE_LOG_PARAMS, request.query)
      const now = context.now()
      const name = buildDatedFileName('USAGE_HISTORY_', now)
      return sendAttachment(request, reply, {
        name,
        format: 'xlsx',
        record: () =>
          recordUsageEvents(db, [
            {
              organisationId,
              userId,
              at: now,
              type: 'export',
              description: 'ส่งออกประวัติการใช้งาน',
              info: [{ name: 'ไฟล์', value: name }],
            },
          ]),
        content: async () => {
          const organisation = await loadOrganisationName(db, organisationId)
          return usageFile(db, organisationId, search, { organisation, now })
        },
      })
    },
  )
}

/** Returns a relative URL: with an absolute URL, a token could be sent to the wrong host (C18). */
function pageLink(query: unknown, page: number): string {
  const params = new URLSearchParams(query as Record<string, string>)
  params.set('page', String(page))
  return `/api/v2/organisations/me/logs?${params}`
}
