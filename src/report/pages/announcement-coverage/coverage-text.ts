import type {
  CoverageAgencyKind,
  CoverageFigures,
  CoverageGroup,
  CoverageMisses,
  CoverageMissReason,
  CoverageNightOutcome,
  CoverageReach,
} from '#contract/catalogue/coverage.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { joinParts } from '#src/lib/join-parts.ts'

export const NIGHT_TEXTS: Readonly<Record<CoverageNightOutcome, string>> = {
  complete: 'ดึงครบ',
  cut_short: 'ดึงไม่ทันก่อนต้นทางปิด',
  refused: 'ดึงไม่สำเร็จ ต้นทางขอให้หยุด',
  closed: 'ดึงไม่สำเร็จ ต้นทางไม่ตอบ',
  halted: 'ดึงไม่สำเร็จ ต้นทางปฏิเสธ',
  running: 'กำลังดึง',
  none: 'ไม่ได้ดึง',
}

export const isFailedNight = (outcome: CoverageNightOutcome) => outcome !== 'complete' && outcome !== 'running'

export const MISS_REASON_TEXTS: Readonly<Record<CoverageMissReason, string>> = {
  no_night: 'คืนนั้นระบบไม่ได้ดึงข้อมูล',
  night_refused: 'คืนนั้นดึงไม่สำเร็จ ต้นทางขอให้หยุด',
  night_closed: 'คืนนั้นดึงไม่สำเร็จ ต้นทางไม่ตอบ',
  night_halted: 'คืนนั้นดึงไม่สำเร็จ ต้นทางปฏิเสธ',
  night_cut_short: 'คืนนั้นดึงไม่ทันก่อนต้นทางปิด',
  night_running: 'คืนนั้นยังดึงไม่จบ',
  not_answered: 'คืนนั้นดึงครบ แต่คำตอบยังไม่มีประกาศนี้ (หน่วยงานไม่ตอบ ยังไม่ถึงรอบถาม หรือประกาศหลังถาม)',
  quarantined: 'อ่านประกาศนี้ไม่ได้ จึงไม่เข้าระบบ',
  waiting: 'ได้รับแล้ว กำลังรอเข้าระบบ',
}

export const UNKNOWN_REASON_TEXTS: Readonly<Record<CoverageMisses['unknown'][number]['reason'], string>> = {
  never_answered: 'ยังไม่เคยตอบ',
  not_answering: 'ไม่ตอบคืนล่าสุด',
  not_asked: 'ยังไม่ได้ถามหลังวันนั้น',
}

const KIND_TEXTS: Readonly<Record<CoverageAgencyKind, string>> = {
  ministry: 'กระทรวงและกรม',
  state_enterprise: 'รัฐวิสาหกิจ',
  local: 'ท้องถิ่น',
  other: 'หน่วยงานอื่นของรัฐ',
}

export const formatCoverageGroup = ({ kind, province }: Pick<CoverageGroup, 'kind' | 'province'>): string =>
  kind === 'local' ? `${KIND_TEXTS.local} ${province ?? 'ไม่รู้จังหวัด'}` : KIND_TEXTS[kind]

export const formatReachClass = ({ kind, digits }: Pick<CoverageReach, 'kind' | 'digits'>): string =>
  `${KIND_TEXTS[kind]} รหัส ${digits} หลัก`

/** Whether no agency of the class answered: in the last seven days, or the last weekly probe. */
export const isSilentReach = ({ is_queried, answered, probe }: CoverageReach): boolean =>
  is_queried ? answered === 0 : probe?.outcome === 'silent'

export const PROBE_TEXTS: Readonly<Record<NonNullable<CoverageReach['probe']>['outcome'], string>> = {
  listed: 'ตอบและมีประกาศ จึงจะถามทุกคืน',
  empty: 'ตอบว่าไม่มีประกาศ',
  silent: 'ไม่ตอบ',
}

export const formatKnownCount = (count: number | null): string => (count === null ? 'ไม่รู้' : formatCount(count))

export const formatCoverageDoubt = ({ counted, had, unknown_agencies }: CoverageFigures): string =>
  joinParts(
    counted !== null && counted > had && `ขาด ${formatCount(counted - had)} รายการ`,
    unknown_agencies > 0 && `ไม่รู้ ${formatCount(unknown_agencies)} หน่วยงาน`,
  )
