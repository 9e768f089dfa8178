import {
  MAX_USAGE_EXPORT_ROWS,
  USAGE_DEFAULT_PAGE_SIZE,
  USAGE_PARAMS,
  USAGE_TYPES,
  type UsageLogSearch,
  type UsagePage,
  usagePageSchema,
} from '#contract/account/usage-log.ts'
import { choiceLabelOf } from '#contract/catalogue/project.ts'
import { datedFileName } from '#contract/file-name.ts'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { readFlatInput } from '#server/platform/route/flat-input.ts'
import { pageLinks } from '#server/platform/route/page-links.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { recordUsage } from '#server/platform/route/usage-events.ts'
import { type SheetRow, sheetColumn } from '#server/platform/workbook/sheet-xml.ts'
import { writeXlsx } from '#server/platform/workbook/xlsx-file.ts'
import {
  countUsage,
  loadOrganisationName,
  loadUsage,
  loadUsageBefore,
  loadUsageFrame,
  type StoredUsage,
} from './queries.ts'

const COLUMNS = [
  sheetColumn('วันเวลา', 'text', 22),
  sheetColumn('ผู้ใช้', 'text', 28),
  sheetColumn('ประเภท', 'text', 18),
  sheetColumn('รายละเอียด', 'text', 50),
  sheetColumn('ข้อมูลเพิ่มเติม', 'text', 70),
]
const PAGE_SIZE = 1_000

function typeName(type: string): string {
  return choiceLabelOf(USAGE_TYPES, type)
}

async function usageFile(
  db: Db,
  organisationId: number,
  search: UsageLogSearch,
  about: { readonly organisation: string; readonly now: Date },
): Promise<AsyncGenerator<Buffer>> {
  const total = await countUsage(db, organisationId, search)
  return writeXlsx({
    sheetName: 'ประวัติการใช้งาน',
    columns: COLUMNS,
    pages: exportPages(db, organisationId, search),
    note:
      total > MAX_USAGE_EXPORT_ROWS
        ? `ไฟล์นี้มี ${formatCount(MAX_USAGE_EXPORT_ROWS)} รายการล่าสุด จากทั้งหมด ${formatCount(total)} รายการ กรองช่วงวันที่ให้แคบลงเพื่อส่งออกส่วนที่เหลือ`
        : undefined,
    aboutName: 'เกี่ยวกับไฟล์นี้',
    about: [
      ['องค์กร', about.organisation],
      ['ส่งออกเมื่อ', formatBangkokTime(about.now)],
      ['จำนวนรายการ', formatCount(Math.min(total, MAX_USAGE_EXPORT_ROWS))],
    ],
  })
}

async function* exportPages(
  db: Db,
  organisationId: number,
  search: UsageLogSearch,
): AsyncGenerator<readonly SheetRow[]> {
  let before: { datetime: string; id: number } | undefined
  for (let written = 0; written < MAX_USAGE_EXPORT_ROWS; written += PAGE_SIZE) {
    const entries = await loadUsageBefore(db, organisationId, search, { before, limit: PAGE_SIZE })
    if (entries.length > 0) yield entries.map(rowOf)
    if (entries.length < PAGE_SIZE) return
    before = entries.at(-1)
  }
}

const rowOf = ({ datetime, user, type, description, additional_info: info }: StoredUsage): SheetRow => [
  formatBangkokTime(new Date(datetime)),
  user,
  typeName(type),
  description,
  info.map(({ name, value }) => `${name}: ${value}`).join('\n'),
]

const config = { feature: 'report', role: 'super_user' } as const
const tags = ['usage log']

/**
 * GET /organisations/me/logs and its export: the organisation's activity, for super users (specification section 6).
 */
export function usageLogRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  app.get(
    '/organisations/me/logs',
    {
      config,
      schema: {
        tags,
        summary: 'List the actions of members of the organisation, newest first',
        response: { 200: usagePageSchema },
      },
    },
    async (request): Promise<UsagePage> => {
      const { organisationId } = await context.actorOf(request)
      const { search, ignored } = readFlatInput(USAGE_PARAMS, request.query)
      const { page = 1, page_size: size = USAGE_DEFAULT_PAGE_SIZE } = search
      const offset = (page - 1) * size
      return db.transaction(
        async (tx) => {
          const total = await countUsage(tx, organisationId, search)
          const { users, firstAt } = await loadUsageFrame(tx, organisationId)
          return {
            links: pageLinks({ page, pageSize: size, total }, (to) => pageLink(request.query, to)),
            total_project: total,
            page,
            page_size: size,
            results: offset < total ? await loadUsage(tx, organisationId, search, { limit: size, offset }) : [],
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
      const { search } = readFlatInput(USAGE_PARAMS, request.query)
      const now = context.now()
      const name = datedFileName('USAGE_HISTORY_', now)
      return sendAttachment(request, reply, {
        name,
        format: 'xlsx',
        record: () =>
          recordUsage(db, [
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

/** Returns a relative URL: with an absolute one, a token could be sent to the wrong host (C18). */
function pageLink(query: unknown, page: number): string {
  const params = new URLSearchParams(query as Record<string, string>)
  params.set('page', String(page))
  return `/api/v2/organisations/me/logs?${params}`
}
