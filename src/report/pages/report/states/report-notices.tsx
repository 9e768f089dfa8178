import type { User } from '#contract/account/user.ts'
import { type DataFreshness, LATE_DATA_THRESHOLD_HOURS } from '#contract/catalogue/freshness.ts'
import type { IgnoredQueryParam } from '#contract/http/query-params.ts'
import { findReportParam, isReportParam, REPORT_PARAMS, type ReportParamName } from '#contract/report/report-params.ts'
import { SEMANTIC_SEARCH_LIMITS_MESSAGE } from '#contract/search/deep-search.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { patchTeamViews } from '#src/report/api/team-view-patches.ts'
import { listIgnoredParamNotices } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { NoticeList } from '#src/ui/notice.tsx'

type ReportNoticesProps = {
  ignored: readonly IgnoredQueryParam[]
  /** Id of the saved filter that the link names but this user does not have. */
  saved: string | undefined
  outsideProvinces: readonly string[]
  loadingUntil: string | undefined
  /** Freshness of a live source: whether its last complete round is too old; undefined for other sources. */
  freshness: DataFreshness | undefined
  /** The user's start view, if the colleague who owns it no longer shares it. */
  lostStart?: NonNullable<User['start_team_view']> | undefined
  personal: readonly ReportParamName[]
}

/** Returns the limit that a parameter exceeds, so that the user can shorten the link. */
const boundOf = (name: string) =>
  isReportParam(name) && findReportParam(name).kind === 'sentences' ? ` (${SEMANTIC_SEARCH_LIMITS_MESSAGE})` : ''

export function ReportNotices(props: ReportNoticesProps) {
  const { ignored, saved, outsideProvinces, loadingUntil, freshness, lostStart, personal } = props
  const notices = [
    loadingUntil && {
      key: 'nightly load',
      text: `กำลังเตรียมรายงานของวันนี้ เสร็จภายใน ${loadingUntil} น. ระหว่างนี้เห็นข้อมูลรอบก่อน`,
    },
    freshness?.is_late && {
      key: `late ${freshness.full_at}`,
      warns: true,
      text: `ประกาศใหม่อาจยังมาไม่ครบ: ${freshness.full_at === null ? 'ยังไม่มีรอบใดที่ดึงได้ครบ' : `รอบที่ดึงได้ครบล่าสุดคือ ${formatThaiDateTime(freshness.full_at)}`} เกิน ${LATE_DATA_THRESHOLD_HOURS} ชั่วโมงแล้ว งานด่วนให้ตรวจที่ e-GP ด้วย`,
    },
    ...listIgnoredParamNotices({ params: REPORT_PARAMS, ignored }, boundOf),
    saved !== undefined && {
      key: `saved ${saved}`,
      text: `ไม่มีตัวกรองที่บันทึก “${saved.slice(0, 60)}” ในบัญชีของคุณ รายงานกรองตามส่วนอื่นของลิงก์เท่านั้น`,
    },
    outsideProvinces.length > 0 && {
      key: `outside ${outsideProvinces.join()}`,
      warns: true,
      text: `จังหวัดนอกแพ็กเกจขององค์กรไม่ได้ใช้กรอง: ${outsideProvinces.join(', ')}`,
    },
    lostStart && {
      key: 'lost start',
      text: `มุมมองเริ่มต้น “${lostStart.name}” ของ ${lostStart.owner_name} ไม่ได้แบ่งให้ทีมแล้ว รายงานจึงเปิดด้วยโครงการที่เปิดรับข้อเสนอ เลือกมุมมองอื่นได้จากเมนูของตัวกรอง`,
      onClose: () => void patchTeamViews({ action: { action: 'forget' } }, { failed: 'ปิดข้อความไม่สำเร็จ' }),
    },
    personal.length > 0 && {
      key: 'personal',
      text: `${personal.map((name) => findReportParam(name).th).join('และ')}เป็นของแต่ละคน ลิงก์นี้กรองด้วยของคุณ จึงอาจเห็นต่างจากคนที่ส่งลิงก์มา`,
    },
  ]
  return <NoticeList notices={notices} className="mb-2" />
}
