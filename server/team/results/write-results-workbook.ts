import {
  TEAM_RESULT_TABLE_GROUPINGS,
  type TeamResultFigures,
  type TeamResultsPeriod,
  UNGROUPED_TEAM_RESULTS_KEY,
} from '#contract/team/team-results.ts'
import { formatBangkokTime, formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { createSheetColumn as column, type SheetColumn, type SheetRow } from '#server/platform/workbook/sheet-xml.ts'
import {
  type TableSheet,
  toSheetRowPages,
  writeWorkbook,
  yieldSinglePage,
} from '#server/platform/workbook/xlsx-file.ts'
import {
  computeTeamResultFigures,
  computeTeamResultGroups,
  countTeamResultReasons,
  type TeamResult,
} from './compute-result-figures.ts'

type About = {
  readonly period: TeamResultsPeriod
  readonly seesPrice: boolean
  readonly organisation: string
  readonly now: Date
}

const sheet = (sheetName: string, columns: readonly SheetColumn[], rows: readonly SheetRow[]): TableSheet => ({
  sheetName,
  columns,
  pages: yieldSinglePage(rows),
  note: undefined,
})

const figureColumns = (seesPrice: boolean): SheetColumn[] => [
  column('งานที่เริ่มทำ', 'count'),
  column('ยื่น', 'count'),
  column('ชนะ', 'count'),
  column('แพ้', 'count'),
  column('รอผล', 'count'),
  column('ไม่ยื่น', 'count'),
  column('ยังไม่ยื่น', 'count'),
  column('อัตราชนะ', 'rate'),
  column('จากงานที่รู้ผล', 'count'),
  column('มูลค่าที่ชนะ', 'money', 20),
  column('จากงานที่รู้มูลค่า', 'count', 18),
  column('ราคาที่น่าสงสัย', 'count', 18),
  ...(seesPrice ? [column('ส่วนลดจากราคากลาง (มัธยฐาน)', 'rate', 24), column('จากงานที่รู้สองราคา', 'count', 20)] : []),
  column('วันจากประกาศถึงตัดสินใจ (มัธยฐาน)', 'money', 24),
  column('จากงานที่รู้สองวัน', 'count', 18),
]

const figureCells = (of: TeamResultFigures): SheetRow => [
  of.pursued,
  of.bid,
  of.won,
  of.lost,
  of.waiting,
  of.declined,
  of.open,
  of.win_rate,
  of.won + of.lost,
  of.won_value,
  of.valued,
  of.amounts_in_doubt ?? 0,
  ...(of.discount === null ? [] : [of.discount.median, of.discount.n]),
  of.days_to_decide.median,
  of.days_to_decide.n,
]

/**
 * Writes a workbook with everything the results page shows, all groups and all rows; without bid prices for roles that
 * may not see them.
 */
export function writeTeamResultsWorkbook(results: readonly TeamResult[], about: About): AsyncGenerator<Buffer> {
  const { seesPrice } = about
  const figures = figureColumns(seesPrice)
  const reasons = (by: 'lost_reason' | 'declined_reason', th: string) =>
    countTeamResultReasons(results, by).map(
      ({ key, n }): SheetRow => [th, key === UNGROUPED_TEAM_RESULTS_KEY ? 'ไม่ได้ระบุ' : key, n],
    )
  return writeWorkbook({
    tables: [
      sheet('สรุป', figures, [figureCells(computeTeamResultFigures(results, seesPrice))]),
      ...TEAM_RESULT_TABLE_GROUPINGS.map(({ code, th }) =>
        sheet(
          th,
          [column(th, 'text', 45), ...figures],
          computeTeamResultGroups(results, code, { seesPrice }).results.map((group) => [
            group.name,
            ...figureCells(group),
          ]),
        ),
      ),
      sheet(
        'เหตุผล',
        [column('ผล', 'text'), column('เหตุผล', 'text', 60), column('งาน', 'count')],
        [...reasons('lost_reason', 'แพ้'), ...reasons('declined_reason', 'ไม่ยื่น')],
      ),
      rowSheet(results, seesPrice),
    ],
    aboutName: 'ขอบเขต',
    about: aboutRows(about),
  })
}

function rowSheet(results: readonly TeamResult[], seesPrice: boolean): TableSheet {
  return {
    sheetName: 'โครงการ',
    note: undefined,
    columns: [
      column('เลขที่โครงการ', 'code', 18),
      column('ชื่อโครงการ', 'text', 70),
      column('หน่วยงาน', 'text', 40),
      column('ผู้ดูแล', 'text', 25),
      column('ขั้น', 'text'),
      column('เริ่มทำ', 'date'),
      column('ประกาศครั้งแรก', 'date'),
      column('ตัดสินใจ', 'date'),
      column('ราคากลาง', 'money', 20),
      ...(seesPrice ? [column('ราคาของเรา', 'money', 20), column('ส่วนลด', 'rate')] : []),
      column('ผู้ชนะ', 'text', 40),
      column('ราคาที่ชนะ', 'money', 20),
      column('เหตุผล', 'text', 50),
    ],
    pages: toSheetRowPages(results, ({ row }) => [
      row.project_id,
      row.name,
      row.department,
      row.owner,
      row.stage,
      row.begun,
      row.announced,
      row.decided,
      row.estimate,
      ...(seesPrice ? [row.price, row.discount] : []),
      row.winner,
      row.winner_price,
      row.reason,
    ]),
  }
}

function aboutRows({ period: { from, to }, seesPrice, organisation, now }: About): (readonly [string, string])[] {
  const days =
    from === null && to === null
      ? 'ทุกช่วงเวลา'
      : `${from === null ? 'เริ่มแรก' : formatThaiDateShort(from)} ถึง ${to === null ? 'ปัจจุบัน' : formatThaiDateShort(to)}`
  return [
    ['ผลงานของ', organisation],
    ['นับงานที่เริ่มทำ', days],
    ['อัตราชนะ', 'งานที่ชนะหารงานที่รู้ผลแล้ว (ชนะและแพ้)'],
    ['มูลค่าที่ชนะ', 'มูลค่าสัญญาตามที่ e-GP ประกาศ ไม่รวมราคาที่น่าสงสัย'],
    ['คำติดตาม', 'งานที่ตรงหลายคำนับในทุกคำ'],
    ...(seesPrice ? [] : ([['ราคาของเรา', 'ไม่แสดงราคาและส่วนลด เพราะองค์กรให้เห็นเฉพาะบางบทบาท']] as const)),
    ['สร้างไฟล์เมื่อ', `${formatBangkokTime(now)} น.`],
  ]
}
