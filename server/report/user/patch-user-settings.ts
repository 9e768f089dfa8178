import sql from 'sql-template-tag'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { UsageActionDescription } from '#server/platform/route/usage-events.ts'
import { throwUserPatchError } from './throw-user-patch-error.ts'
import type { UserPatchHandler } from './user-patch-handler.ts'

/**
 * JSON characters of the column settings: enough for all 25 columns with long titles. Limited because every `GET
 * /users/me` contains them.
 */
const MAX_COLUMNS_JSON = 20_000

export const settingsHandler: UserPatchHandler = {
  assertAllowedInDemo: (patch) => {
    const { first_name, last_name, is_send_report_email, is_noti_e_bidding, is_send_coverage_email, shares_looks } =
      patch
    if (shares_looks) throw new ProblemError('forbidden', { text: 'เปิดได้เมื่อมีบัญชีของคุณเอง' })
    if (is_send_report_email === true || is_noti_e_bidding === true || is_send_coverage_email === true)
      throw new ProblemError('forbidden', { text: DEMO_SENDS_NO_MAIL_TEXT })
    if ((first_name ?? last_name) !== undefined)
      throw new ProblemError('forbidden', { text: 'บัญชีทดลองใช้งานเปลี่ยนชื่อไม่ได้' })
  },
  apply: async (tx, { userId, at }, patch) => {
    const {
      first_name: firstName = null,
      last_name: lastName = null,
      is_send_report_email: isSendReportEmail = null,
      is_noti_e_bidding: isNotiEBidding = null,
      is_send_coverage_email: isSendCoverageEmail = null,
      shares_looks: sharesLooks = null,
      customize_report_table: columns,
    } = patch
    const settings = [firstName, lastName, isSendReportEmail, isNotiEBidding, isSendCoverageEmail, sharesLooks]
    if (columns === undefined && settings.every((setting) => setting === null)) return []
    const columnsJson = columns === undefined ? null : JSON.stringify(columns)
    if ((columnsJson?.length ?? 0) > MAX_COLUMNS_JSON) throwUserPatchError('customize_report_table', 'ชื่อคอลัมน์ยาวเกินไป')
    // If sharing was already enabled, its start time does not change.
    await tx.execute(sql`
      update users set
        first_name = coalesce(${firstName}::text, first_name),
        last_name = coalesce(${lastName}::text, last_name),
        is_send_report_email = coalesce(${isSendReportEmail}::boolean, is_send_report_email),
        is_noti_e_bidding = coalesce(${isNotiEBidding}::boolean, is_noti_e_bidding),
        is_send_coverage_email = coalesce(${isSendCoverageEmail}::boolean, is_send_coverage_email),
        shares_looks_since = case ${sharesLooks}::boolean when true then coalesce(shares_looks_since, ${at.toISOString()}::timestamptz)
          when false then null else shares_looks_since end,
        customize_report_table = coalesce(${columnsJson}::jsonb, customize_report_table)
      where id = ${userId}::int`)
    return describeSettings(patch)
  },
}

export const DEMO_SENDS_NO_MAIL_TEXT = 'ช่วงทดลองใช้งานยังไม่ส่งอีเมล เปิดใช้ได้เมื่อมีบัญชีของคุณเอง'

export const describeSwitch = (isOn: boolean | undefined) =>
  isOn === undefined ? [] : [{ name: 'ตั้งเป็น', value: isOn ? 'เปิด' : 'ปิด' }]

function describeSettings(patch: UserPatch): readonly UsageActionDescription[] {
  const switches = [
    ['ตั้งค่าอีเมลรายงาน', patch.is_send_report_email],
    ['ตั้งค่าแจ้งเตือน e-bidding', patch.is_noti_e_bidding],
    ['ตั้งค่าอีเมลความครบถ้วนของประกาศ', patch.is_send_coverage_email],
    ['ให้ทีมเห็นว่าดูโครงการใดแล้ว', patch.shares_looks],
  ] as const
  const names = [patch.first_name, patch.last_name].filter((name) => name !== undefined)
  return [
    ...(patch.customize_report_table ? [{ description: 'จัดคอลัมน์ของรายงาน', info: [] }] : []),
    ...switches.flatMap(([description, isOn]) =>
      isOn === undefined ? [] : [{ description, info: describeSwitch(isOn) }],
    ),
    ...(names.length > 0 ? [{ description: 'เปลี่ยนชื่อ', info: [{ name: 'ชื่อ', value: names.join(' ') }] }] : []),
  ].map((line) => ({ type: 'settings', ...line }))
}
